import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseCsv } from './csv.js';
import { UsageError } from './exit-codes.js';

/** One address per line. */
export async function readUrls(file, stdin) {
  const lines = (await readText(file, stdin)).split(/\r?\n/).map((line) => line.trim());
  const urls = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (urls.length === 0) throw new UsageError(`There is no address in ${file}`);
  return urls;
}

const columns = {
  url: String,
  keyword: String,
  country: String,
  language: String,
  start_page: Number,
  end_page: Number,
  device: String,
  brd_mobile: (value) => /^(true|yes|1)$/i.test(value),
  competitors: (value) => value.split(/[;\s]+/).filter(Boolean),
  full: (value) => /^(true|yes|1)$/i.test(value),
  match: String,
  tag: String,
};

/** Keyword queries from a CSV whose first line names the columns. */
export async function readQueries(file, stdin) {
  const [names = [], ...rows] = parseCsv(await readText(file, stdin));
  const unknown = names.filter((name) => !columns[name]);
  if (unknown.length > 0 || !names.includes('url') || !names.includes('keyword')) {
    throw new UsageError(
      `The first line of ${file} must name its columns: url, keyword, and any of ${Object.keys(columns).slice(2).join(', ')}`,
    );
  }
  if (rows.length === 0) throw new UsageError(`There is no query in ${file}`);
  return rows.map((row) =>
    Object.fromEntries(
      names.flatMap((name, index) => (row[index] ? [[name, columns[name](row[index])]] : [])),
    ),
  );
}

async function readText(file, stdin) {
  if (file === undefined) throw new UsageError('Name a file, or - for standard input');
  if (file === '-') return text(stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error.code}`);
  }
}
