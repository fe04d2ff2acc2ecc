import { createReadStream } from 'node:fs';
import { decoded } from '../lists/decode.js';
import { ListError } from '../lists/list-error.js';
import { readList } from '../lists/read-list.js';
import { UsageError } from './exit-codes.js';
import { rankDefaults } from './rank-defaults.js';

/**
 * Content of a file: entries as the API takes them, and the line of each. What of a table is read, and what is not, is
 * said before anything is sent. What could be meant in two ways is not guessed.
 */
export async function readEntries(kind, options, { stdin, stderr }) {
  const [file] = options.operands;
  const list = await readFileAs(kind, file, options, stdin);
  const { entries, columns, question, withoutScheme, addressLike } = list;
  if (question) throw new UsageError(askedOf(question));
  if (entries.length === 0)
    throw new UsageError(`There is no ${kind === 'urls' ? 'address' : 'keyword'} in ${file}`);
  if (addressLike > 0 && !options['as-keywords']) {
    throw new UsageError(
      `${addressLike} of the keywords in ${file} look like addresses; --as-keywords ranks them as they are`,
    );
  }
  if (columns.length > 0) stderr.line(understood(columns));
  if (withoutScheme > 0 && options['add-https']) stderr.line(`https:// is added to ${withoutScheme} lines`);
  const defaults = kind === 'keywords' ? rankDefaults(options) : {};
  const queries = entries.map(({ text, rank }) =>
    kind === 'urls' ? text : { ...defaults, ...rank, keyword: text },
  );
  if (kind === 'keywords' && queries.some(({ url }) => !url)) {
    throw new UsageError(`Name the site: a column url in ${file}, or --site`);
  }
  return { entries: queries, lines: entries.map(({ line }) => line) };
}

async function readFileAs(kind, file, options, stdin) {
  if (file === undefined) throw new UsageError('Name a file, or - for standard input');
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

function askedOf(question) {
  if (question.about === 'whole') {
    return `Does the address end at the separator (--table: ${question.cell}) or not (--lines: ${question.line})?`;
  }
  const names = question.columns.map(({ name }) => `"${name}"`).join(' or ');
  return `Which column is meant? --column ${names}`;
}

/** A sentence about the columns of a table. */
function understood(columns) {
  const used = columns.filter(({ field }) => field !== null);
  const unused = columns.filter(({ field }) => field === null);
  const reads = used
    .map(({ name, field }) => `${field === 'url' ? 'site' : field} from "${name}"`)
    .join(', ');
  return `Reads ${reads}${unused.length > 0 ? `; not used: ${unused.map(({ name }) => `"${name}"`).join(', ')}` : ''}`;
}
