import { UsageError } from './exit-codes.js';

/**
 * Rows of fields (RFC 4180): quoted fields may hold commas, quotes and line breaks. Rows without any text are
 * left out.
 */
export function parseCsv(text) {
  const rows = [[]];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  const source = text.replace(/^\ufeff/, '');
  while (field.lastIndex < source.length) {
    const match = field.exec(source);
    if (!match) throw new UsageError(`A quote is out of place in line ${rows.length}`);
    const [, quoted, plain, end] = match;
    rows.at(-1).push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.some((value) => value !== ''));
}

/** One line. What a spreadsheet would take for a formula is led by a quote, so that it stays text. */
export function csvLine(values) {
  return `${values.map(csvField).join(',')}\r\n`;
}

function csvField(value) {
  const text = value === null || value === undefined ? '' : textOf(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function textOf(value) {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
