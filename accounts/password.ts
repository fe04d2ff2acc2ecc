const lengthMin = 10;
const lengthMax = 200;
/** Minimum number of letters and digits that remain after common words and runs are removed. */
const unguessableMin = 5;
/** Minimum length of a run such as "qwer". Shorter runs, such as "rty" in "party", occur in ordinary words. */
const runLengthMin = 4;

/** Follows the word "Password" in messages. */
export const passwordRule =
  'must have 10 to 200 characters, such as four unrelated words, and must not be a common password or your email address';

/**
 * Returns true if a password is acceptable for an email address. Requires 10 to 200 characters (NIST SP 800-63B section
 * 5.1.1). Rejects common words, runs of keys and parts of the address, also if digits and signs surround them.
 */
export function isAcceptablePassword(password: string, email: string | null): boolean {
  const length = [...password].length;
  if (length < lengthMin || length > lengthMax) return false;
  const plain = password.normalize('NFKC').toLowerCase();
  // Characters at the ends can replace letters, as in "$unshine". They can also be a year, as in "sunshine2024!". The
  // password is therefore checked with and without the characters at its ends.
  const core = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return [plain, core].every((text) => hasUnguessablePart(text, splitEmail(email)));
}

function hasUnguessablePart(text: string, words: string[]): boolean {
  const rest = withoutWords(withoutRuns(text), words).match(/[\p{L}\p{N}]/gu) ?? [];
  return rest.length >= unguessableMin && new Set(rest).size > 2;
}

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** The columns of a keyboard, from left to right. */
const columns = '1qaz2wsx3edc4rfv5tgb6yhn7ujm';
const orders = [...rows, columns, 'q1w2e3r4t5y6u7i8o9p0', '1q2w3e4r5t6y7u8i9o0p'];
const readings = orders.flatMap((order) => [order, [...order].reverse().join('')]);

/** Removes runs of neighbours in the alphabet, in the digits or on a keyboard. */
function withoutRuns(text: string): string {
  let rest = '';
  for (let at = 0; at < text.length; ) {
    let length = runLengthMin;
    while (at + length <= text.length && isRun(text.slice(at, at + length))) length += 1;
    const isOne = length > runLengthMin;
    if (!isOne) rest += text[at];
    at += isOne ? length - 1 : 1;
  }
  return rest;
}

function isRun(text: string): boolean {
  return readings.some((order) => order.includes(text));
}

/** Signs and digits that stand for letters, as in "p4$$w0rd". */
const lookalikes: Record<string, string> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' },
  ...{ '@': 'a', $: 's', '!': 'i', '|': 'i', '+': 't', '€': 'e' },
};

/** Removes words, the longest first. If "password" came first, "passwords" would leave an "s". */
function withoutWords(text: string, words: string[]): string {
  const letters = text.replaceAll(/[013457@$!|+€]/g, (sign) => lookalikes[sign] ?? sign);
  const longestFirst = [...commonWords, ...words].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, word) => rest.replaceAll(word, ' '), letters);
}

/** Splits an email address into parts that are easy to guess. */
function splitEmail(email: string | null): string[] {
  const [name = '', domain = ''] = (email ?? '').toLowerCase().split('@');
  return [name, ...name.split(/[^\p{L}\p{N}]+/u), ...domain.split('.')].filter((word) => word.length > 2);
}

/**
 * The most frequent words in published lists of leaked passwords. Only passwords of at least ten characters were
 * counted.
 */
const commonWords = `
  password passwords passwort passw pass motdepasse contrasena senha parola lozinka wachtwoord haslo heslo salasana
  administrator admin root user guest login logon welcome willkommen bienvenue letmein secret default changeme change
  master access account system server temporary temp test testing demo example sample sonde
  iloveyou loveyou ilove love lovely sunshine princess princesa sweetheart forever football baseball basketball soccer
  hockey futbol liverpool chelsea arsenal barcelona realmadrid manchester juventus superman batman spiderman starwars
  pokemon naruto dragon dragonball monkey shadow michael jordan jessica jennifer christopher alexander alexandra
  charlie thomas daniel robert andrew joshua matthew anthony nicole michelle ashley samantha elizabeth william
  qwertz azerty qwert qwer asdf zxcv summer winter spring autumn freedom whatever computer internet samsung google
  facebook microsoft apple linkedin mustang ferrari porsche mercedes harley yamaha corvette chocolate cookie butterfly
  flower angel diamond hello trustno nothing blink jesus christ blessed family mother killer hunter ranger buster
  tigger pepper ginger maggie george matrix phoenix california enterprise terminator playstation minecraft fortnite
`
  .trim()
  .split(/\s+/);
