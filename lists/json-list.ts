import { findHeader, takeHead } from './dialect.ts';
import { isMainColumnName } from './fields.ts';
import { countValues } from './json-body.ts';
import { type ListDocument, toDocument } from './list-document.ts';
import { ListError } from './list-error.ts';
import type { Pieces } from './pieces.ts';
import { columnsMax, type Row } from './rows.ts';

const lengthMax = 16 * 1024 * 1024;
/** A value takes up to 100 bytes of memory. */
const valuesMax = 500_000;

/**
 * Reads an array of strings, of objects, or of arrays whose first is the header; an object with one such array; objects
 * one per line; or bookmarks of Firefox or Chrome. Throws ListError for other JSON.
 */
export async function readJsonList(pieces: Pieces): Promise<ListDocument> {
  const { value, count } = await parse(pieces);
  return { ...toListDocument(value), valuesInMemory: count };
}

function toListDocument(value: unknown): ListDocument {
  if (isObject(value) && value.root === 'placesRoot') return readBookmarkTree([value]);
  if (isObject(value) && isObject(value.roots)) return readBookmarkTree(Object.values(value.roots).reverse());
  const array = findArray(value).map(spreadKeys);
  if (array.every((one) => typeof one === 'string')) {
    return toDocument(
      'json',
      array.map((text, index) => ({ line: index + 1, cells: [text.trim()] })),
    );
  }
  const areRows = array.every(Array.isArray);
  const names = areRows ? null : findNames(array);
  // Creates rows one by one, because a few values can make a long row.
  const readRows = () => toRows(array, names);
  const { head } = takeHead(toRows(array, names));
  const headerAt = areRows ? findHeader(head) : 0;
  return toDocument('json', head, { hasLines: false, headerAt, rowCount: array.length, readRows });
}

async function parse(pieces: Pieces): Promise<{ value: unknown; count: number }> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length > lengthMax) throw new ListError('JSON is limited to 16 MB. Split the file.');
  }
  const bytes = Buffer.from(text);
  const count = countValues(bytes, valuesMax);
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

/** Reads the links of a backup of Firefox's bookmarks, or of Chrome's file `Bookmarks`. Changes `open`. */
function readBookmarkTree(open: unknown[]): ListDocument {
  const rows: Row[] = [];
  let others = 0;
  while (open.length > 0) {
    const one = open.pop();
    if (!isObject(one)) continue;
    const { children } = one;
    const uri = one.uri ?? one.url;
    if (typeof uri === 'string' && /^https?:\/\//i.test(uri))
      rows.push({ line: rows.length + 1, cells: [uri] });
    else if (uri !== undefined) others += 1;
    if (Array.isArray(children)) for (const child of children.toReversed()) open.push(child);
  }
  return toDocument('bookmarks', rows, {}, [{ reason: 'not_web', count: others }]);
}

/** The API of Search Console has the query and the page of a row in an array. */
function spreadKeys(one: unknown): unknown {
  if (!isObject(one) || !Array.isArray(one.keys)) return one;
  const { keys, ...others } = one;
  return { ...Object.fromEntries(one.keys.map((key, index) => [`keys ${index + 1}`, key])), ...others };
}

function findArray(value: unknown): unknown[] {
  const arrays = Array.isArray(value)
    ? [value]
    : isObject(value)
      ? Object.values(value).filter(Array.isArray)
      : [];
  // A file with a single line.
  if (isObject(value) && arrays.length === 0 && Object.keys(value).some(isMainColumnName)) return [value];
  const [array] = arrays;
  const isReadable = (one: unknown) => typeof one === 'string' || isObject(one);
  if (array && arrays.length === 1 && array.length > 0 && array.every(isReadable)) return array;
  throw new ListError(
    'This JSON is not a list. Use an array of strings, or of objects with the same fields.',
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function findNames(array: unknown[]): string[] {
  const names = new Set<string>();
  for (const one of array) {
    for (const name of isObject(one) ? Object.keys(one) : []) names.add(name);
    if (names.size > columnsMax)
      throw new ListError(`The objects of this JSON have more than ${columnsMax} fields. Remove fields.`);
  }
  return [...names];
}

/** Yields the names of the fields, then a row for each object; without names, a row for each array. */
function* toRows(array: unknown[], names: string[] | null): Generator<Row> {
  if (names) yield { line: 1, cells: names };
  for (const [index, one] of array.entries()) {
    const values = names ? names.map((name) => (one as Record<string, unknown>)[name]) : (one as unknown[]);
    yield { line: index + 1, cells: values.slice(0, columnsMax).map(toCell) };
  }
}

function toCell(value: unknown): string {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(', ');
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value).trim();
}
