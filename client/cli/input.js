import { createReadStream } from 'node:fs';
import { decoded } from '../lists/decode.js';
import { ListError } from '../lists/list-error.js';
import { readList } from '../lists/read-list.js';
import { UsageError } from './exit-codes.js';
import { rankDefaults } from './rank-defaults.js';

/**
 * Returns the entries of a file in the format of the API, and their line numbers. Prints the columns of a table that
 * are read. Throws UsageError if the file is ambiguous.
 */
export async function readEntries(kind, options, { stdin, stderr }) {
  const [file] = options.operands;
  const list = await readFileAs(kind, file, options, stdin);
  const { entries, columns, question, withoutScheme, addressLike } = list;
  if (question) throw new UsageError(explainQuestion(question));
  if (entries.length === 0)
    throw new UsageError(`${file} contains no ${kind === 'urls' ? 'URLs' : 'keywords'}.`);
  if (addressLike > 0 && !options['as-keywords']) {
    throw new UsageError(
      `${addressLike} keywords in ${file} look like URLs. If they are keywords, use --as-keywords.`,
    );
  }
  if (columns.length > 0) stderr.line(describeColumns(columns));
  if (withoutScheme > 0 && options['add-https'])
    stderr.line(`Added https:// to ${withoutScheme} ${withoutScheme === 1 ? 'line' : 'lines'}`);
  const defaults = kind === 'keywords' ? rankDefaults(options) : {};
  const queries = entries.map(({ text, rank }) =>
    kind === 'urls' ? text : { ...defaults, ...rank, keyword: text },
  );
  if (kind === 'keywords' && queries.some(({ url }) => !url)) {
    throw new UsageError(`The site is missing. Add a column url to ${file}, or use --site.`);
  }
  return { entries: queries, lines: entries.map(({ line }) => line) };
}

async function readFileAs(kind, file, options, stdin) {
  if (file === undefined) throw new UsageError('The file is missing. Use - for standard input.');
  const field = kind === 'urls' ? 'address' : 'keyword';
  const { column, lines, table, 'add-https': addsScheme } = options;
  const choice = {
    kind,
    columns: column ? { [field]: column } : {},
    addsScheme,
    ...(lines || table ? { isWhole: lines === true } : {}),
  };
  try {
    return await readList(decoded(file === '-' ? stdin : createReadStream(file)), choice);
  } catch (error) {
    if (error instanceof ListError) throw new UsageError(`${file}: ${error.message}`);
    if (error.syscall) throw new UsageError(`${file} cannot be read: ${error.code}`);
    throw error;
  }
}

function explainQuestion(question) {
  if (question.about === 'whole') {
    return `Does the URL end at the separator? Use --table for ${question.cell}, or --lines for ${question.line}`;
  }
  const names = question.columns.map(({ name }) => `"${name}"`).join(' or ');
  return `Several columns are possible. Use --column ${names}`;
}

const fieldLabels = { address: 'URL', url: 'site' };

function describeColumns(columns) {
  const used = columns.filter(({ field }) => field !== null);
  const unused = columns.filter(({ field }) => field === null);
  const reads = used.map(({ name, field }) => `${fieldLabels[field] ?? field} from "${name}"`).join(', ');
  return `Reading ${reads}${unused.length > 0 ? `; not used: ${unused.map(({ name }) => `"${name}"`).join(', ')}` : ''}`;
}
