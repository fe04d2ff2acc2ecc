import { headRowsMax, type TableHead } from './dialect.ts';
import type { List, ListFormat, Question } from './list.ts';
import type { Row } from './rows.ts';

/** The content of a file before it is read for a check type. */
export interface ListDocument {
  format: ListFormat;
  encoding: string | null;
  tables: TableSource[];
  /** Index of the table that is read unless another one is chosen; absent if the table that fits is read. */
  table?: number;
  /** Must be answered before the content is known. */
  question?: Question;
  /** Number of rows or JSON values that are in memory; absent if only the beginning was read. */
  valuesInMemory?: number;
  /** Files of a ZIP and lists of a JSON that were not read. */
  unread?: List['unread'];
}

/** A table of a file, or lines with an entry each. */
export interface TableSource extends TableHead {
  name: string;
  /** True if each row is a line with its only cell. */
  hasLines: boolean;
  rowCount: number;
  /** A separator that may end the URL or be a part of it; null if the format is clear. */
  whole: Extract<Question, { about: 'whole' }> | null;
  /** The host that paths may belong to. */
  hostSuggestion: string | null;
  /** Rows that were left out already. */
  leftOut?: List['leftOut'];
  /** True for an index of sitemaps or a robots.txt. */
  hasSitemaps?: boolean;
  /** All rows, with the header. */
  readRows(): Iterable<Row> | AsyncIterable<Row>;
}

/** Returns a document with one table of rows that are in memory, by default a list of lines. */
export function toDocument(
  format: ListFormat,
  rows: Row[],
  source: Partial<TableSource> = {},
  leftOut: List['leftOut'] = [],
): ListDocument {
  const table: TableSource = {
    ...{ name: '', hasLines: true, rows: rows.slice(0, headRowsMax), headerAt: -1, rowCount: rows.length },
    ...{ whole: null, hostSuggestion: null, readRows: () => rows },
    leftOut: leftOut.filter(({ count }) => count > 0),
    ...source,
  };
  return { format, encoding: null, tables: [table], valuesInMemory: rows.length };
}
