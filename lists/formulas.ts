/**
 * Prefixes formulas with an apostrophe, so that spreadsheets do not run them. Ignores leading white space, quotes and
 * control characters. Checks every line of a cell, and the text after each separator of cells other than `delimiter`.
 * Works piece by piece, because a single regular expression takes quadratic time on a text of line breaks.
 */
export function escapeFormulas(text: string, delimiter: ',' | ';' = ','): string {
  const lines = text.split(delimiter === ',' ? afterBreak : afterBreakOrComma);
  const safe = lines.map((line) => (formulaSigns.has(firstVisible(line)) ? `'${line}` : line)).join('');
  return /^[\t\r]/.test(safe) ? `'${safe}` : safe;
}

const afterBreak = /(?<=[\n;\t\u2028\u2029]|\r(?!\n))/;
const afterBreakOrComma = /(?<=[\n,;\t\u2028\u2029]|\r(?!\n))/;

// Some spreadsheets also accept the full-width forms of these signs.
const formulaSigns = new Set('=+-@\uff1d\uff0b\uff0d\uff20');

function firstVisible(line: string): string {
  // A spreadsheet that uses another separator takes a quote after it for the start of a cell.
  return line.charAt(line.search(/[^\s"\p{Cc}\p{Cf}]/u));
}
