const languagesOfNames = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];
/** A country by its code or its name in one of seven languages, as the code in upper case; null for none of them. */
export function countryOf(text) {
    const code = text.trim().toUpperCase();
    if (/^[A-Z]{2}$/.test(code))
        return code;
    if (code === 'USA')
        return 'US';
    countries ??= codesByName('region');
    return countries.get(code) ?? null;
}
/** A language by its code or its name, as the code in lower case; null for none of them. */
export function languageOf(text) {
    const code = text.trim().toLowerCase();
    if (/^[a-z]{2}$/.test(code))
        return code;
    languages ??= codesByName('language');
    return languages.get(code.toUpperCase()) ?? null;
}
let countries = null;
let languages = null;
/** Made when the first name is met: most lists have codes. */
function codesByName(type) {
    const found = new Map();
    for (const code of twoLetterCodes(type)) {
        const own = type === 'language' ? [code] : [];
        for (const locale of [...languagesOfNames, ...own]) {
            const name = new Intl.DisplayNames([locale], { type, fallback: 'none' }).of(code)?.toUpperCase();
            if (name && !found.has(name))
                found.set(name, code);
        }
    }
    return found;
}
/** Those that stand for themselves: a code that was given up names its successor. */
function twoLetterCodes(type) {
    const letters = [...(type === 'region' ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : 'abcdefghijklmnopqrstuvwxyz')];
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    const tagOf = (code) => (type === 'region' ? `und-${code}` : code);
    return codes.filter((code) => Intl.getCanonicalLocales(tagOf(code))[0] === tagOf(code));
}
