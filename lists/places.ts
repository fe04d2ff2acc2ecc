const languagesOfNames = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];

/** A country by its code or its name in one of seven languages, as the code in upper case; null for none of them. */
export function countryOf(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (/^[A-Z]{2}$/.test(code)) return code;
  if (code === 'USA') return 'US';
  countries ??= codesByName('region');
  return countries.get(code) ?? null;
}

/** A language by its code or its name, as the code in lower case; null for none of them. */
export function languageOf(text: string): string | null {
  const code = text.trim().toLowerCase();
  if (/^[a-z]{2}$/.test(code)) return code;
  languages ??= codesByName('language');
  return languages.get(code.toUpperCase()) ?? null;
}

let countries: Map<string, string> | null = null;
let languages: Map<string, string> | null = null;

/** Made when the first name is met: most lists have codes. */
function codesByName(type: 'region' | 'language'): Map<string, string> {
  const found = new Map<string, string>();
  for (const code of twoLetterCodes(type)) {
    const own = type === 'language' ? [code] : [];
    for (const locale of [...languagesOfNames, ...own]) {
      const name = new Intl.DisplayNames([locale], { type, fallback: 'none' }).of(code)?.toUpperCase();
      if (name && !found.has(name)) found.set(name, code);
    }
  }
  return found;
}

/** Those that stand for themselves: a code that was given up names its successor. */
function twoLetterCodes(type: 'region' | 'language'): string[] {
  const letters = [...(type === 'region' ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : 'abcdefghijklmnopqrstuvwxyz')];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const tagOf = (code: string) => (type === 'region' ? `und-${code}` : code);
  return codes.filter((code) => Intl.getCanonicalLocales(tagOf(code))[0] === tagOf(code));
}
