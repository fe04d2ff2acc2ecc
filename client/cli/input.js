import { createReadStream } from 'node:fs';
import { rankFields } from '../lists/fields.js';
import { describeLeftOut, describeUnread } from '../lists/left-out.js';
import { fileBytesMax } from '../lists/list.js';
import { ListError } from '../lists/list-error.js';
import { readFile } from '../lists/read-file.js';
import { findFault } from '../lists/values.js';
import { createAddressPolicy } from '../net/address.js';
import { createTargetValidator } from '../net/target-validator.js';
import { exitCodes, QuestionError, toFileError, UsageError } from './exit-codes.js';
import { invalidRemedy, listFaults } from './faults.js';
import { printableJson } from './printable.js';
import { rankDefaults } from './rank-defaults.js';

/**
 * Returns the different entries of a file in the format of the API, and their line numbers. Before anything is sent,
 * prints how the file is read. Throws QuestionError if the file is ambiguous, and UsageError if it cannot be read.
 */
export async function readEntries(kind, options, { stdin, stderr }) {
  const [file] = options.operands;
  const list = await readFileAs(kind, file, options, stdin);
  const { entries, addressLike } = list;
  if (list.question) throw new QuestionError(explainQuestion(list.question, list.columns));
  if (addressLike > 0 && !options['as-keywords']) {
    const found = counted(
      addressLike,
      `keyword in ${file} looks like a URL`,
      `keywords in ${file} look like URLs`,
    );
    throw new UsageError(
      `${found}. To check ${addressLike === 1 ? 'it' : 'them'} anyway, use --as-keywords.`,
    );
  }
  for (const line of describeReading(list, options)) stderr.line(line);
  const defaults = kind === 'keywords' ? rankDefaults(options) : {};
  const queries = entries.map(({ text, rank }) =>
    kind === 'urls'
      ? text
      : { ...withoutOtherPlace(defaults, rank, options.country), ...rank, keyword: text },
  );
  const withoutSite = kind === 'keywords' ? entries.filter((_, index) => !queries[index].url) : [];
  if (withoutSite.length > 0) throw new UsageError(explainMissingSite(withoutSite, list.columns, file));
  const distinct = withoutDuplicates({ entries: queries, lines: entries.map(({ line }) => line) });
  const duplicates = queries.length - distinct.entries.length;
  if (duplicates > 0) stderr.line(`Left out ${counted(duplicates, 'duplicate')}`);
  return distinct;
}

/** Keeps the first of equal entries. The service finds duplicates only within a batch. */
function withoutDuplicates({ entries, lines }) {
  const indexes = new Map();
  entries.forEach((entry, index) => {
    // A value comes from an option or from a column, which changes the order of the fields.
    const key = typeof entry === 'string' ? entry : JSON.stringify(entry, Object.keys(entry).sort());
    if (!indexes.has(key)) indexes.set(key, index);
  });
  const kept = [...indexes.values()];
  return { entries: kept.map((index) => entries[index]), lines: kept.map((index) => lines[index]) };
}

function explainMissingSite([{ line }, ...others], columns, file) {
  const column = columns.find(({ field }) => field === 'url');
  if (!column) {
    const named =
      columns.length > 1
        ? 'use --column "site=<its name>" if a column has it'
        : `add a column url to ${file}`;
    return `The site is missing. Use --site, or ${named}.`;
  }
  const found = counted(others.length + 1, 'keyword has no site', 'keywords have no site');
  return `${found}, such as line ${line}. Fill the column "${column.name}", or use --site with --column "site=${column.name}".`;
}

/**
 * Prints the valid URLs, or queries as JSON, one per line. Also prints the problems of invalid entries, and the price.
 * Only the service validates keywords, sites and cities. Returns the exit code: `usage` if the service would reject
 * invalid entries, otherwise `good`.
 */
export function printEntries({ entries, lines }, options, { stdout, stderr }) {
  const { format, command } = options;
  const findUrlProblem = createTargetValidator(createAddressPolicy([]));
  const problems = entries.map((entry) => {
    const isUrl = typeof entry === 'string';
    const { field, value, problem } = isUrl
      ? { field: null, value: entry, problem: findUrlProblem(entry) }
      : (findFault(entry) ?? { problem: null });
    return problem && `${field ? `, ${field}` : ''}: ${value.slice(0, 80)}: ${problem}`;
  });
  const valid = entries.filter((_, index) => problems[index] === null);
  for (const entry of valid) {
    const isJson = typeof entry !== 'string' || format === 'json' || format === 'ndjson';
    stdout.line(isJson ? printableJson(entry) : entry);
  }
  const faults = problems.flatMap((problem, index) =>
    problem === null ? [] : [`line ${lines[index]}${problem}`],
  );
  for (const line of describeInvalid(faults, entries.length, options)) stderr.line(line);
  if (entries.some((entry) => typeof entry !== 'string'))
    stderr.line(
      'The keywords, sites and cities were not validated. The service does that before it charges.',
    );
  const price = command === 'watch' ? 'Each run costs' : 'This costs';
  stderr.line(`${price} ${formatCredits(valid)}. Nothing was sent.`);
  const areSkipped = options['skip-invalid'] && command !== 'watch';
  return faults.length === 0 || areSkipped ? exitCodes.good : exitCodes.usage;
}

function describeInvalid(faults, total, options) {
  if (faults.length === 0) return [];
  const isWatch = options.command === 'watch';
  const rejected = isWatch ? 'Correct them, or remove them from the file.' : invalidRemedy;
  const remedy = options['skip-invalid'] && !isWatch ? 'They are skipped and not charged.' : rejected;
  return [
    `Invalid: ${faults.length.toLocaleString('en')} of ${counted(total, 'entry', 'entries')}`,
    ...listFaults(faults),
    remedy,
  ];
}

/** Returns what is checked, and its price, such as `2 URLs, 2 credits`. */
export function describePrice(entries, options) {
  const what = counted(entries.length, typeof entries[0] === 'string' ? 'URL' : 'keyword');
  return `${what}, ${formatCredits(entries, options['skip-invalid'])}`;
}

/**
 * Formats the price. A query with `ai_overview` costs a second credit, which may be refunded. The service may skip some
 * entries if `mayBeSkipped`.
 */
function formatCredits(entries, mayBeSkipped = false) {
  const overviews = entries.filter(({ include }) => include?.includes('ai_overview')).length;
  return `${overviews > 0 || mayBeSkipped ? 'up to ' : ''}${counted(entries.length + overviews, 'credit')}`;
}

/**
 * Removes the default country and location for a keyword that has its own country or location, because a location
 * determines its country. Only a city without a region or country, such as "Berlin", is in the country that the user
 * gives: several countries may have it.
 */
function withoutOtherPlace(defaults, rank, givenCountry) {
  const { country, location: _, ...others } = defaults;
  if (!('country' in rank || 'location' in rank)) return defaults;
  const needsCountry = givenCountry && !('country' in rank) && !rank.location.includes(',');
  return needsCountry ? { ...others, country } : others;
}

async function readFileAs(kind, file, options, stdin) {
  if (file === undefined) throw new UsageError('The file is missing. Use - for standard input.');
  const { lines, table, 'no-header': noHeader, header, sheet, host, encoding, site } = options;
  const choices = {
    kind,
    columns: readColumns(kind, options.column),
    ...{ table: sheet, host, encoding },
    ...(kind === 'keywords' ? { site } : {}),
    ...(header === undefined && !noHeader ? {} : { hasHeader: header === true }),
    ...(lines || table || options.column ? { isWhole: lines === true } : {}),
  };
  try {
    return await readFile(await readBytes(file === '-' ? stdin : createReadStream(file)), choices);
  } catch (error) {
    if (error instanceof ListError) throw new UsageError(`${file}: ${error.message}`);
    if (error.syscall) throw toFileError(file, 'read', error.code);
    throw error;
  }
}

/** Reads at most one piece more than the limit. The reader of the list then reports that the file is too long. */
async function readBytes(stream) {
  const pieces = [];
  let length = 0;
  for await (const piece of stream) {
    pieces.push(Buffer.from(piece));
    length += piece.length;
    if (length > fileBytesMax) break;
  }
  return Buffer.concat(pieces);
}

const fieldsOfOptions = {
  urls: { host: 'host' },
  keywords: { site: 'url', ...Object.fromEntries(rankFields.map((field) => [field, field])) },
};

/** Reads `--column Name`, `--column site=Name` and `--column host=Name`, where `none` ignores all columns. */
function readColumns(kind, values = []) {
  const main = kind === 'urls' ? 'address' : 'keyword';
  const columns = values.map((value) => {
    const [, option, name] = /^([a-z_]+)=(.*)$/s.exec(value) ?? [];
    if (!option || !Object.hasOwn(fieldsOfOptions[kind], option)) return [main, value];
    return [fieldsOfOptions[kind][option], name === 'none' ? -1 : name];
  });
  return Object.fromEntries(columns);
}

function explainQuestion(question, columns) {
  const isShared = (name, all) => all.filter((other) => other.name === name).length > 1;
  const quoted = (all) =>
    all.map(({ name, index }) => (isShared(name, all) ? index + 1 : `"${name}"`)).join(' or ');
  switch (question.about) {
    case 'encoding':
      return [
        'The encoding of the file is unclear. Use --encoding with the name before the line that reads correctly:',
        ...question.encodings.map(({ name, example }) => `  ${name.padEnd(14)}${example}`),
      ];
    case 'table':
      return [`The file has several suitable tables. Use --sheet ${quoted(question.tables)}`];
    case 'whole':
      return [
        `Does the URL end at the separator? Use --table for ${question.cell}, or --lines for ${question.line}`,
      ];
    case 'header':
      return [
        `Does the first row name the columns: ${question.cells.slice(0, 5).join(' | ')}?`,
        'Use --header if it does, or --no-header if it is the first entry.',
      ];
    case 'column':
      return [
        `It is unclear which column has the ${question.field === 'address' ? 'URLs' : 'keywords'}.`,
        `Use --column ${quoted(question.columns)}`,
      ];
    case 'value':
      return [
        `The file has a site for each keyword, but --site is ${question.value}.`,
        `Use --column site=none for --site, or --column "site=${question.column.name}" for the column.`,
      ];
    case 'host':
      return [
        `The file contains paths without a host, such as ${question.paths[0]}`,
        `Use --host, such as --host ${question.suggestion ?? 'www.example.com'}`,
        ...(columns.length > 1
          ? ['If a column has the host of each row, use --column "host=<its name>"']
          : []),
      ];
  }
}

function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

const fieldLabels = { address: 'URL', url: 'site' };
const namesShownMax = 8;

function describeReading(list, { host, command }) {
  const { columns, entries, tables, table, encoding, schemesAdded, hostsAdded } = list;
  const others = tables.filter(({ index }) => index !== table);
  const otherTables = others.length > 0 ? `; other tables: ${nameAll(others)}` : '';
  const leftOut = describeLeftOut(list);
  return [
    encoding && encoding !== 'utf-8' && `Reading the file as ${encoding}`,
    table !== null && `Reading "${tables[table].name}"${otherTables}`,
    columns.length > 0 && describeColumns(columns),
    schemesAdded > 0 && `Added https:// to ${counted(schemesAdded, 'URL')}`,
    host && `Added ${host} to ${counted(hostsAdded, 'path')}`,
    leftOut && `Left out ${leftOut}`,
    ...describeUnread(list.unread),
    list.areSitemaps &&
      `These are sitemaps. To check their pages: sonde sitemap ${entries[0]?.text} | sonde ${command} -`,
  ].filter(Boolean);
}

function describeColumns(columns) {
  const used = columns.filter(({ field }) => field !== null);
  const unused = columns.filter(({ field }) => field === null);
  const reads = used.map(({ name, field }) => `${fieldLabels[field] ?? field} from "${name}"`).join(', ');
  return `Reading ${reads}${unused.length > 0 ? `; not used: ${nameAll(unused)}` : ''}`;
}

function nameAll(named) {
  const shown = named.slice(0, namesShownMax).map(({ name }) => `"${name}"`);
  const others = named.length - shown.length;
  return `${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
