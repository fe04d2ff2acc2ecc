/**
 * Prefixes formulas with an apostrophe, so that spreadsheets do not run them. Ignores leading white space and control
 * characters. Checks every line of a cell, and the text after each semicolon and tab. Works piece by piece, because a
 * single regular expression takes quadratic time on a text of line breaks.
 */
export function escapeFormulas(text: string): string {
  const lines = cellBreak.test(text) ? text.split(/(?<=[\n;\t]|\r(?!\n)|[\u2028\u2029])/) : [text];
  const safe = lines.map((line) => (formulaSigns.has(firstVisible(line)) ? `'${line}` : line)).join('');
  return /^[\t\r]/.test(safe) ? `'${safe}` : safe;
}

const cellBreak = /[\n\r\u2028\u2029;\t]/;

// Some spreadsheets also accept the full-width forms of these signs.
const formulaSigns = new Set('=+-@\uff1d\uff0b\uff0d\uff20');

function firstVisible(line: string): string {
  return line.charAt(line.search(/[^\s\p{Cc}\p{Cf}]/u));
}
