const nameLocales = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];

/** Returns the upper-case code of a country, given its code or its name in one of seven languages; otherwise null. */
export function findCountry(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (/^[A-Z]{2}$/.test(code)) return code;
  if (code === 'USA') return 'US';
  countries ??= codesByName('region');
  return countries.get(code) ?? null;
}

/** Google's codes of languages with a region. Source: developers.google.com/maps/faq#languagesupport. */
export const regionalLanguages: ReadonlyMap<string, string> = new Map(
  ['en-AU', 'en-GB', 'es-419', 'fr-CA', 'pt-BR', 'pt-PT', 'zh-CN', 'zh-HK', 'zh-TW'].map((code) => [
    code.toLowerCase(),
    code,
  ]),
);

/** Returns the code of a language, such as `de` or `pt-BR`, given its code or its name; otherwise null. */
export function findLanguage(text: string): string | null {
  const code = text.trim().toLowerCase();
  if (/^[a-z]{2}$/.test(code)) return code;
  const regional = regionalLanguages.get(code.replace('_', '-'));
  if (regional) return regional;
  languages ??= codesByName('language');
  return languages.get(code.toUpperCase()) ?? null;
}

let countries: Map<string, string> | null = null;
let languages: Map<string, string> | null = null;

/** Called only when the first name occurs, because most lists have codes. */
function codesByName(type: 'region' | 'language'): Map<string, string> {
  const found = new Map<string, string>();
  for (const code of twoLetterCodes(type)) {
    const own = type === 'language' ? [code] : [];
    for (const locale of [...nameLocales, ...own]) {
      const name = new Intl.DisplayNames([locale], { type, fallback: 'none' }).of(code)?.toUpperCase();
      if (name && !found.has(name)) found.set(name, code);
    }
  }
  return found;
}

/** Excludes deprecated codes, which are replaced by their successors. */
function twoLetterCodes(type: 'region' | 'language'): string[] {
  const letters = [...(type === 'region' ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : 'abcdefghijklmnopqrstuvwxyz')];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const toTag = (code: string) => (type === 'region' ? `und-${code}` : code);
  return codes.filter((code) => Intl.getCanonicalLocales(toTag(code))[0] === toTag(code));
}
