import { looksLikeUrl } from './address.ts';
import { findBookmarkFolders, readBookmarkFolders } from './bookmarks.ts';
import { rateFit } from './columns.ts';
import { takeHead } from './dialect.ts';
import { isColumnName, isMainColumnName } from './fields.ts';
import { countValues } from './json-body.ts';
import { type ListDocument, type TableSource, toDocument } from './list-document.ts';
import { ListError } from './list-error.ts';
import type { Pieces } from './pieces.ts';
import { columnsMax, type Row } from './rows.ts';

const lengthMax = 16 * 1024 * 1024;
/** A value takes up to 100 bytes of memory. */
const valuesMax = 500_000;
/** Detecting the columns of a table takes up to 30 ms. */
const tablesMax = 50;
/** Deeper values and longer paths are not read, because many values of a short text can share a long path. */
const levelsMax = 20;
const pathLengthMax = 100;
/** The Search Console API has up to seven dimensions in an array. */
const arrayColumnsMax = 10;

/**
 * Reads arrays of strings or objects, or one object per line. By default, the outermost array that has URLs or named
 * keywords is read. Nested fields become columns such as `properties.url`, and an array of different texts becomes
 * columns such as `keys 1`. Throws ListError for other JSON.
 */
export async function readJsonList(pieces: Pieces): Promise<ListDocument> {
  const { value, count } = await parse(pieces);
  const folders = findBookmarkFolders(value);
  if (folders) return { ...readBookmarkFolders(folders), valuesInMemory: count };
  const lists = findLists(value)
    .slice(0, tablesMax)
    .map(({ path, rows }) => ({ path, source: { ...toSource(rows), name: path } }));
  const fitting = lists.filter(({ source }) => hasInputs(source));
  const list = fitting[0] ?? lists[0];
  // A list within the objects describes them, such as the redirects of a URL.
  const isApart = ({ path }: { path: string }) =>
    path !== list?.path && !path.startsWith(toPrefix(list?.path ?? ''));
  if (list && fitting.length === 0 && lists.some(isApart))
    throw new ListError(
      'This JSON has several lists, of which none has URLs or keywords with a name. Save one of them as a file of its own, or export it as CSV.',
    );
  if (!list)
    throw new ListError(
      'This JSON is not a list. Use an array of strings, or of objects with the same fields, or export it as CSV.',
    );
  const problem =
    'This JSON has several lists, of which only one is read. Save this list as a file of its own.';
  const unread = fitting.filter(isApart).map(({ path }) => ({ name: path, problem }));
  const tables = lists.map(({ source }) => source);
  return {
    ...{ format: 'json', encoding: null, tables, table: tables.indexOf(list.source) },
    ...{ valuesInMemory: count, unread },
  };
}

async function parse(pieces: Pieces): Promise<{ value: unknown; count: number }> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length > lengthMax) throw new ListError('JSON is limited to 16 MB. Split the file.');
  }
  const bytes = Buffer.from(text);
  const count = countValues(bytes, valuesMax);
  if (count === Number.POSITIVE_INFINITY)
    throw new ListError('This JSON has a field with a very long name. Remove it, or save the list as CSV.');
  if (count > valuesMax)
    throw new ListError(`This JSON has more than ${valuesMax.toLocaleString('en')} values. Split the file.`);
  try {
    return { value: JSON.parse(text), count };
  } catch {
    return { value: parseLines(text), count };
  }
}

function parseLines(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  try {
    return lines.map((line) => JSON.parse(line));
  } catch {
    throw new ListError('This JSON is damaged. Export it again, or save it as CSV.');
  }
}

interface JsonList {
  /** Names of the fields that lead to the list, such as `data.rows`; '' for the document itself. */
  path: string;
  rows: unknown[];
}

/**
 * Returns the lists, the outermost first, and the longest first of the same level. Arrays with the same path in several
 * objects are one list. So is a tree whose nodes have the same field, such as `children`.
 */
function findLists(value: unknown): JsonList[] {
  const isFilled = (one: unknown) => Array.isArray(one) && one.length > 0;
  // A file with one object per line may have a single line.
  if (isObject(value) && Object.keys(value).some(isMainColumnName) && !Object.values(value).some(isFilled))
    return [{ path: '', rows: [value] }];
  const lists = new Map<string, JsonList & { level: number }>();
  let values = [{ value, path: '', isInRow: false }];
  for (let level = 0; level < levelsMax && values.length > 0; level++) {
    const inner: typeof values = [];
    for (const { value, path, isInRow } of values) {
      // An array of strings within a row is one of its cells.
      const isRow = (one: unknown) => isObject(one) || (typeof one === 'string' && !isInRow);
      const isList = Array.isArray(value) && value.length > 0 && value.every(isRow);
      const list = lists.get(path) ?? { path, rows: [], level };
      if (isList) for (const row of value) list.rows.push(row);
      if (isList) lists.set(path, list);
      for (const one of isList ? value.filter(isObject) : [value].filter(isObject)) {
        for (const [name, field] of Object.entries(one)) {
          const isNode = isList && path !== '' && name === path.slice(path.lastIndexOf('.') + 1);
          const next = isNode ? path : `${toPrefix(path)}${name}`;
          if (typeof field === 'object' && field !== null && next.length <= pathLengthMax)
            inner.push({ value: field, path: next, isInRow: isInRow || isList });
        }
      }
    }
    values = inner;
  }
  return [...lists.values()].sort((a, b) => a.level - b.level || b.rows.length - a.rows.length);
}

function toPrefix(path: string): string {
  return path === '' ? '' : `${path}.`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasInputs(source: TableSource): boolean {
  if (source.hasLines) return source.rows.every(({ cells: [text = ''] }) => looksLikeUrl(text));
  return rateFit(source, 'urls') === 2 || rateFit(source, 'keywords') === 2;
}

function toSource(rows: unknown[]): TableSource {
  if (rows.every((one) => typeof one === 'string')) {
    const lines = rows.map((text, index) => ({ line: index + 1, cells: [text.trim()] }));
    return toDocument('json', lines).tables[0] as TableSource;
  }
  const columns = findColumns(rows);
  // Creates rows one by one, because a few values can make a long row.
  const readRows = () => toRows(rows, columns);
  // Columns are compared with each other, so more of them would take quadratic time.
  const { head } = takeHead(toRows(rows, columns.slice(0, columnsMax)));
  const table = { hasLines: false, headerAt: 0, rowCount: rows.length };
  const readAll = () => {
    if (columns.length <= columnsMax) return readRows();
    throw new ListError(`The objects of this JSON have more than ${columnsMax} fields. Remove fields.`);
  };
  return toDocument('json', head, { ...table, readRows: readAll }).tables[0] as TableSource;
}

interface JsonColumn {
  path: string;
  /** Index in an array whose texts have a column each; null for the whole value. */
  at: number | null;
}

/** Returns the fields of the objects, then the nested ones that many of them have. */
function findColumns(rows: unknown[]): JsonColumn[] {
  const fields = new Set<string>();
  const nested = new Map<string, number>();
  /** Number of texts in each array of a column; 0 if they differ or an array has other values. */
  const lengths = new Map<string, number>();
  const withWords = new Set<string>();
  for (const row of rows.filter(isObject)) {
    for (const [path, value] of flatten(row)) {
      if (Object.hasOwn(row, path)) fields.add(path);
      else nested.set(path, (nested.get(path) ?? 0) + 1);
      if (!Array.isArray(value)) continue;
      const length = value.every((one) => typeof one === 'string') ? value.length : 0;
      lengths.set(path, (lengths.get(path) ?? length) === length ? length : 0);
      if (length > 0 && !value.every(looksLikeUrl)) withWords.add(path);
    }
  }
  // A column has a cell in each row, so that a rare field would take much time for few values.
  const common = [...nested].filter(([, count]) => count * 10 >= rows.length).map(([path]) => path);
  const paths = [...fields, ...common.slice(0, Math.max(0, columnsMax - fields.size))];
  const split = paths.flatMap((path): JsonColumn[] => {
    const length = withWords.has(path) && !isColumnName(path) ? (lengths.get(path) ?? 0) : 0;
    if (length < 2 || length > arrayColumnsMax) return [{ path, at: null }];
    return Array.from({ length }, (_, at) => ({ path, at }));
  });
  return split.length > columnsMax ? paths.map((path) => ({ path, at: null })) : split;
}

/** Returns the values of an object and of the objects within it, by path. */
function flatten(row: Record<string, unknown>, values = new Map<string, unknown>(), prefix = '', level = 0) {
  const fields = Object.entries(row);
  // An object with so many fields has data as names, and not the columns of a table.
  if (level > 0 && fields.length > columnsMax) return values;
  for (const [name, value] of fields) {
    const path = `${prefix}${name}`;
    if (!isObject(value)) {
      if (level === 0 || !values.has(path)) values.set(path, value);
    } else if (level < levelsMax && path.length <= pathLengthMax)
      flatten(value, values, `${path}.`, level + 1);
  }
  return values;
}

/** Yields the names of the columns, then a row for each object. */
function* toRows(rows: unknown[], columns: JsonColumn[]): Generator<Row> {
  yield { line: 1, cells: columns.map(({ path, at }) => (at === null ? path : `${path} ${at + 1}`)) };
  for (const [index, row] of rows.entries()) {
    const values = isObject(row) ? flatten(row) : new Map<string, unknown>();
    const cells = columns.map(({ path, at }) => {
      const value = values.get(path);
      return toCell(at === null || !Array.isArray(value) ? value : value[at]);
    });
    yield { line: index + 1, cells };
  }
}

function toCell(value: unknown): string {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(', ');
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value).trim();
}
