import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeFormulas } from '../lists/formulas.js';
import { toFileError } from './exit-codes.js';
import { printable, printableJson } from './printable.js';
import { commonCsvColumns, competitorRank, csvColumns, tableColumns } from './verdicts.js';

/** Throws UsageError if a file cannot be written. Call this before anything is charged. */
export async function requireWritable(output) {
  if (!output) return;
  try {
    await (await open(output, 'a')).close();
  } catch (error) {
    throw toFileError(output, 'write', error.code);
  }
}

/** Streams results in a format to a file or to standard output. */
export async function writeResults(results, { type, format, output }, stdout) {
  const text = Readable.from(writers[format](results, type, output ? undefined : stdout.columns));
  if (output) await pipeline(text, createWriteStream(output));
  else await pipeline(text, stdout.raw, { end: false });
}

const writers = {
  async *ndjson(results) {
    for await (const result of results) yield `${printableJson(result)}\n`;
  },

  async *json(results) {
    let before = '[\n';
    for await (const result of results) {
      yield before + printableJson(result);
      before = ',\n';
    }
    yield before === '[\n' ? '[]\n' : '\n]\n';
  },

  async *csv(results, type) {
    // The header names the competitors, which are known only from the results.
    const rows = type === 'keyword' ? await collect(results) : results;
    const competitors = type === 'keyword' ? toCompetitorColumns(rows) : [];
    const names = competitors.map(([name]) => name);
    yield csvLine([...csvColumns[type], ...names, ...commonCsvColumns]);
    for await (const row of rows) {
      const cells = [
        ...csvColumns[type].map((column) => toCell(column, row)),
        ...competitors.map(([, read]) => read(row)),
        ...commonCsvColumns.map((column) => toCell(column, row)),
      ];
      yield csvLine(cells);
    }
  },

  async *table(results, type, terminalWidth) {
    const columns = Object.entries(tableColumns[type]);
    const rows = [columns.map(([title]) => title)];
    for await (const result of results) rows.push(columns.map(([, read]) => printable(read(result) ?? '')));
    const widths = columnWidths(rows, terminalWidth);
    for (const row of rows) {
      const cells = row.map((cell, index) => truncate(cell, widths[index]).padEnd(widths[index]));
      yield `${cells.join('  ').trimEnd()}\n`;
    }
  },
};

async function collect(results) {
  const all = [];
  for await (const result of results) all.push(result);
  return all;
}

const competitorColumnsMax = 50;

/** Returns a column per competitor, as pairs of a name and a function that reads its cell. */
function toCompetitorColumns(results) {
  const urls = [...new Set(results.flatMap(({ competitor_urls: each }) => each ?? []))];
  const named = urls.slice(0, competitorColumnsMax);
  const columns = named.map((name) => [
    name,
    (result) => {
      const one = result.competitors?.find(({ url }) => url === name);
      return one && competitorRank(one, result);
    },
  ]);
  if (urls.length === named.length) return columns;
  const readOthers = (result) =>
    (result.competitors ?? [])
      .filter(({ url }) => !named.includes(url))
      .map((one) => `${one.url} ${competitorRank(one, result)}`)
      .join('; ');
  return [...columns, ['other_competitors', readOthers]];
}

/** Joins lists into one cell. */
function toCell(column, result) {
  const value = readers[column] ? readers[column](result) : result[column];
  const [entryText, separator] = listColumns[column] ?? [String, '; '];
  return Array.isArray(value) ? value.map((entry) => entryText(entry, result)).join(separator) : value;
}

const readers = {
  ai_overview: ({ ai_overview: overview }) => overview?.state,
  ai_cited: ({ ai_overview: overview }) => overview?.cited,
};

const listColumns = {
  features: [({ type }) => type, ' '],
  redirects: [({ url, status }) => `${status} ${url}`, ' -> '],
};

/** Returns the width of each column. It is the width of the widest cell, reduced until the table fits the terminal. */
function columnWidths(rows, terminalWidth) {
  const widths = rows[0].map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column].length), 0),
  );
  if (!terminalWidth) return widths;
  const available = terminalWidth - 2 * (widths.length - 1);
  while (widths.reduce((sum, width) => sum + width) > available) {
    const longest = widths.indexOf(Math.max(...widths));
    if (widths[longest] <= 10) break;
    widths[longest] -= 1;
  }
  return widths;
}

function truncate(cell, width) {
  return cell.length > width ? `${cell.slice(0, width - 1)}…` : cell;
}

function csvLine(cells) {
  return `${cells.map(csvField).join(',')}\n`;
}

/** Numbers are not escaped like texts, because a negative number would look like a formula. */
function csvField(value) {
  const text = typeof value === 'string' ? escapeFormulas(printable(value)) : String(value ?? '');
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
