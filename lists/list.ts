import type { Field, RankFields } from './fields.ts';

/** Content of a list: URLs to check, or keywords whose ranks to check. */
export type ListKind = 'urls' | 'keywords';

/** `lines` has an entry per line, `table` has columns. `sitemap_index` and `robots` list sitemaps instead of pages. */
export type ListFormat =
  | 'lines'
  | 'table'
  | 'workbook'
  | 'zip'
  | 'json'
  | 'sitemap'
  | 'sitemap_index'
  | 'robots'
  | 'access_log'
  | 'bookmarks';

export const listEntriesMax = 100_000;

/** Maximum length of a file, and of its text after unpacking. Reading 32 MB of CSV takes up to 2 s of CPU time. */
export const fileBytesMax = 32 * 1024 * 1024;

/**
 * Longer URLs, keywords and other values are truncated. The API rejects them even so: it allows up to 2,048 code
 * points, which take up to two characters each. V8 hashes texts above 16,383 characters by their length only.
 */
export const valueLengthMax = 4_200;

/** Choices for reading a list, such as answers to its questions. */
export interface ListOptions {
  /** The kind of the check type that the user chose. Default: detected from the content. */
  kind?: ListKind;
  /** Site that the user typed for all keywords. */
  site?: string;
  /**
   * Table of a ZIP, sheet of a workbook or list of a JSON. A number is its index. A string is its name, or its number
   * from 1. Default: the table that fits.
   */
  table?: number | string;
  columns?: ChosenColumns;
  /** Name of an encoding for TextDecoder. Default: detected. */
  encoding?: string;
  /** Host that completes paths, such as `www.example.com` or `http://example.com`. */
  host?: string;
  /** True: each line is one entry, even with separators. Default: detected, or the user is asked. */
  isWhole?: boolean;
  /** Whether the first row of a table names its columns. Default: detected, or the user is asked. */
  hasHeader?: boolean;
  entriesMax?: number;
}

/** Column of each field. A number is its index, or -1 for no column. A string is its name, or its number from 1. */
export type ChosenColumns = Partial<Record<Field, number | string>>;

export interface Column {
  index: number;
  /** Name in the header; without a header, `column 1` and so on. */
  name: string;
  /** The first cell with a value; '' if all are empty. */
  example: string;
  /** Null if the column is not used. */
  field: Field | null;
}

/** A table of a ZIP, or a sheet of a workbook. */
export interface Table {
  index: number;
  name: string;
  /** Number of rows or lines, including those above and below the data. */
  rows: number;
  /** Kinds for which the table can be read. */
  fits: ListKind[];
}

/** An input of a list, with its line number. */
export interface ListEntry {
  line: number;
  /** The URL or the keyword, of up to `valueLengthMax` characters. */
  text: string;
  /**
   * Other fields of the row, named as in the API. Values that were not understood stay as they are; the API rejects
   * them.
   */
  rank: RankFields;
}

/** A question to the user about an ambiguous list, answered by the named option. */
export type Question =
  /** `encoding`: which example is right? It is the first line with characters outside ASCII. */
  | { about: 'encoding'; encodings: Array<{ name: string; label: string; example: string }> }
  /** `table`: which of the tables that fit? */
  | { about: 'table'; tables: Table[] }
  /** `isWhole`: does a separator end the URL? Contains both readings of the first line. */
  | { about: 'whole'; cell: string; line: string }
  /** `hasHeader`: do these cells of the first row name the columns, or are they the first entry? */
  | { about: 'header'; cells: string[] }
  /** `columns[field]`: which of the columns that fit? */
  | { about: 'column'; field: Field; columns: Column[] }
  /** `columns[field]`: does the typed value apply (-1), or the column (its index)? */
  | { about: 'value'; field: 'url'; value: string; column: Column }
  /** `host`: which host do the paths belong to? The suggestion comes from the file. */
  | { about: 'host'; paths: string[]; suggestion: string | null };

/**
 * Why a row has no entry. `comment`: it begins with #; `above_header`: it is above the header; `blank`: no URL or
 * keyword; `placeholder`: `(not set)`, a total and the like; `not_web`: a link without http; `not_get`: a request of
 * another method, or a line without a request; `after_url`: the text after a URL in a line, which has an entry;
 * `regex`: a redirect with a regular expression; `other_table`: it belongs to a table below the first.
 */
export type LeftOutReason =
  | 'comment'
  | 'above_header'
  | 'blank'
  | 'placeholder'
  | 'not_web'
  | 'not_get'
  | 'after_url'
  | 'regex'
  | 'other_table';

export interface List {
  format: ListFormat;
  kind: ListKind;
  /** Encoding of a file of text; null for other files and for pasted text. */
  encoding: string | null;
  /** All tables of a ZIP or workbook; empty for other formats. */
  tables: Table[];
  /** Index of the table that is read; null if `tables` is empty, or while the user is asked to choose one. */
  table: number | null;
  /** All columns of the table; empty if each line is an entry. */
  columns: Column[];
  /** Must be answered before anything is charged; null if the list is clear. */
  question: Question | null;
  /** Empty while there is a question. */
  entries: ListEntry[];
  /** Rows without an entry, by reason. */
  leftOut: Array<{ reason: LeftOutReason; count: number }>;
  /** Files of a ZIP and lists of a JSON that were not read, and why. */
  unread: Array<{ name: string; problem: string }>;
  /** True if the entries are sitemaps: those of an index or a robots.txt. */
  areSitemaps: boolean;
  schemesAdded: number;
  hostsAdded: number;
  /** Number of keywords that look like URLs. */
  addressLike: number;
}
