import { takeHead } from './dialect.ts';
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
 * Reads an array of strings or of objects; an object with one such array; or objects one per line. Throws ListError for
 * other JSON.
 */
export async function readJsonList(pieces: Pieces): Promise<ListDocument> {
  const { value, count } = await parse(pieces);
  return { ...toListDocument(value), valuesInMemory: count };
}

function toListDocument(value: unknown): ListDocument {
  const array = findArray(value);
  if (array.every((one) => typeof one === 'string')) {
    return toDocument(
      'json',
      array.map((text, index) => ({ line: index + 1, cells: [text.trim()] })),
    );
  }
  const names = findNames(array);
  // Creates rows one by one, because a few values can make a long row.
  const readRows = () => toRows(array, names);
  const { head } = takeHead(readRows());
  return toDocument('json', head, { hasLines: false, headerAt: 0, rowCount: array.length, readRows });
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
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

/** Yields the names of the fields, then a row for each object. */
function* toRows(array: unknown[], names: string[]): Generator<Row> {
  yield { line: 1, cells: names };
  for (const [index, one] of array.entries()) {
    const values = names.map((name) => (one as Record<string, unknown>)[name]);
    yield { line: index + 1, cells: values.map(toCell) };
  }
}

function toCell(value: unknown): string {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(', ');
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value).trim();
}
