/** Returns one line of CSV. Puts an apostrophe before cells that a spreadsheet would read as a formula. */
export function csvLine(values) {
  return `${values.map(csvField).join(',')}\n`;
}

function csvField(value) {
  const text = typeof value === 'string' ? disarm(value) : String(value ?? '');
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Some spreadsheets find formulas after white space and control characters, and in every line of a cell. They also find
 * them after semicolons and tabs, because they read these as separators.
 */
function disarm(text) {
  const lines = text.split(/(?<=[\n;\t]|\r(?!\n)|[\u2028\u2029])/);
  const safe = lines.map((line) => (formulaSigns.has(firstVisible(line)) ? `'${line}` : line)).join('');
  return /^[\t\r]/.test(safe) ? `'${safe}` : safe;
}

// Some spreadsheets also accept the full-width forms of these signs.
const formulaSigns = new Set('=+-@\uff1d\uff0b\uff0d\uff20');

function firstVisible(line) {
  return line.charAt(line.search(/[^\s\p{Cc}\p{Cf}]/u));
}
