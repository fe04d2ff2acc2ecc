/** One line. What a spreadsheet would take for a formula is led by a quote, so that it stays text. */
export function csvLine(values) {
  return `${values.map(csvField).join(',')}\n`;
}

function csvField(value) {
  const text = typeof value === 'string' ? disarm(value) : String(value ?? '');
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Some spreadsheets look past white space and control characters, at every line of a cell, or at what follows a
 * semicolon or a tab, which separate cells for some.
 */
function disarm(text) {
  const lines = text.split(/(?<=[\n;\t]|\r(?!\n)|[\u2028\u2029])/);
  const safe = lines.map((line) => (formulaSigns.has(firstVisible(line)) ? `'${line}` : line)).join('');
  return /^[\t\r]/.test(safe) ? `'${safe}` : safe;
}

// With the full-width forms, which some spreadsheets read as the plain ones.
const formulaSigns = new Set('=+-@\uff1d\uff0b\uff0d\uff20');

function firstVisible(line) {
  return line.charAt(line.search(/[^\s\p{Cc}\p{Cf}]/u));
}
