/**
 * How a provider spells the query of a result's address. `google`: as Google links it. `sorted`: openserp puts the
 * parameters in the order of their names, escapes them anew and leaves out `ref` and what Go cannot read. `cleaned`:
 * SearXNG escapes them anew and leaves out empty ones, and any whose name begins as one of a list that it downloads.
 *
 * Source: karust/openserp core/response_builder.go (`normalizeURL`) at 16d3a844; searxng/searxng
 * searx/data/tracker_patterns.py (`clean_url`) at 9fea4120.
 */
export type UrlSpelling = 'google' | 'sorted' | 'cleaned';

/**
 * Whether the query shown is the one wanted, both in their normal form. Null where it may be: it lacks parameters that
 * the provider leaves out.
 */
export function isSameQueryString(shown: string, wanted: string, spelling: UrlSpelling): boolean | null {
  if (shown === wanted || spelling === 'google') return shown === wanted;
  const all = parametersIn(wanted);
  const isTold = spelling === 'sorted' ? isToldByGo : isToldByPython;
  const told = escapedAnew(all.filter(isTold));
  const seen = escapedAnew(parametersIn(shown).filter(isTold));
  if (spelling === 'sorted') {
    const isSame = isEqual(seen.sort(byName), told.sort(byName));
    return isSame && told.length < all.length ? null : isSame;
  }
  if (isEqual(seen, told) && told.length === all.length) return true;
  return isPartOf(seen, told) ? null : false;
}

type Parameter = readonly [name: string, value: string];

function parametersIn(query: string): string[] {
  return query === '' ? [] : query.split('&');
}

/** Go reads no parameter with a semicolon or a broken escape. */
function isToldByGo(parameter: string): boolean {
  return !/;|%(?![0-9A-F]{2})/.test(parameter) && !/^ref(=|$)/.test(parameter);
}

/** Python leaves out empty parameters, and has one sign for all bytes that are not UTF-8. */
function isToldByPython(parameter: string): boolean {
  if (!/=./.test(parameter) || parameter.includes('%EF%BF%BD')) return false;
  try {
    decodeURIComponent(parameter.replace(/%(?![0-9A-F]{2})/g, '%25'));
    return true;
  } catch {
    return false;
  }
}

/** As for a form, in which `+` is a space. */
function escapedAnew(parameters: string[]): Parameter[] {
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

/** Parameters of one name keep their order. */
function byName([one]: Parameter, [other]: Parameter): number {
  return one < other ? -1 : Number(one > other);
}

function isEqual(some: Parameter[], others: Parameter[]): boolean {
  return some.length === others.length && isPartOf(some, others);
}

/** Whether some stand among others, in the same order. */
function isPartOf(some: Parameter[], others: Parameter[]): boolean {
  let found = 0;
  for (const [name, value] of others) {
    const next = some[found];
    if (next?.[0] === name && next[1] === value) found++;
  }
  return found === some.length;
}
