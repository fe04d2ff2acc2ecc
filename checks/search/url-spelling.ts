/**
 * Changes of a provider to the query of a result's URL. `google`: none. `sorted`: openserp sorts the parameters by
 * name, escapes them again, and omits `ref` and parameters that Go cannot parse. `cleaned`: SearXNG escapes the
 * parameters again. It omits empty parameters, and parameters whose names have a prefix from a list that it downloads.
 *
 * Source: karust/openserp core/response_builder.go (`normalizeURL`) at 16d3a844; searxng/searxng
 * searx/data/tracker_patterns.py (`clean_url`) at 9fea4120.
 */
export type UrlSpelling = 'google' | 'sorted' | 'cleaned';

/**
 * Compares two queries in normal form. Returns null if they may be equal except for parameters that the provider omits.
 */
export function isSameQueryString(shown: string, wanted: string, spelling: UrlSpelling): boolean | null {
  if (shown === wanted || spelling === 'google') return shown === wanted;
  const all = parametersIn(wanted);
  const isKept = spelling === 'sorted' ? isKeptByGo : isKeptByPython;
  const kept = escapeAgain(all.filter(isKept));
  const shownParameters = escapeAgain(parametersIn(shown).filter(isKept));
  if (spelling === 'sorted') {
    const isSame = isEqual(shownParameters.sort(byName), kept.sort(byName));
    return isSame && kept.length < all.length ? null : isSame;
  }
  if (isEqual(shownParameters, kept) && kept.length === all.length) return true;
  return isSubsequence(shownParameters, kept) ? null : false;
}

type Parameter = readonly [name: string, value: string];

function parametersIn(query: string): string[] {
  return query === '' ? [] : query.split('&');
}

/** Go ignores parameters with a semicolon or an invalid escape, and openserp omits `ref`. */
function isKeptByGo(parameter: string): boolean {
  return !/;|%(?![0-9A-F]{2})/.test(parameter) && !/^ref(=|$)/.test(parameter);
}

/** Python omits empty parameters, and replaces all bytes that are not UTF-8 with the same character. */
function isKeptByPython(parameter: string): boolean {
  if (!/=./.test(parameter) || parameter.includes('%EF%BF%BD')) return false;
  try {
    decodeURIComponent(parameter.replace(/%(?![0-9A-F]{2})/g, '%25'));
    return true;
  } catch {
    return false;
  }
}

/** Escapes parameters again. Reads `+` as a space, as in a form. */
function escapeAgain(parameters: string[]): Parameter[] {
  const escaped = (text: string) =>
    text
      .replaceAll('+', '%20')
      .replace(/%(?![0-9A-F]{2})/g, '%25')
      .replace(/[^\w.~%-]/g, (raw) => `%${raw.charCodeAt(0).toString(16).toUpperCase()}`);
  return parameters.map((parameter) => {
    const [name = '', ...value] = parameter.split('=');
    return [escaped(name), escaped(value.join('='))];
  });
}

/** Parameters with the same name keep their order, because the sort is stable. */
function byName([one]: Parameter, [other]: Parameter): number {
  return one < other ? -1 : Number(one > other);
}

function isEqual(some: Parameter[], others: Parameter[]): boolean {
  return some.length === others.length && isSubsequence(some, others);
}

/** Returns whether all of `some` are in `others`, in the same order. */
function isSubsequence(some: Parameter[], others: Parameter[]): boolean {
  let found = 0;
  for (const [name, value] of others) {
    const next = some[found];
    if (next?.[0] === name && next[1] === value) found++;
  }
  return found === some.length;
}
