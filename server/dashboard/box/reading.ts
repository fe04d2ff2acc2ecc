import type { Column, ListKind } from '../../../lists/columns.ts';
import type { Question } from '../../../lists/read-list.ts';
import { batchSizeMax } from '../../../schemas/text.ts';
import type { Form } from '../forms.ts';
import type { Box } from './box.ts';
import { faultsOfUrls, type JudgeContext, type LineFault } from './faults.ts';
import { faultsOfQueries } from './rank-faults.ts';

/** What the box says it read. */
export interface Reading {
  kind: ListKind | 'nothing';
  problem: string | null;
  total: number;
  duplicates: number;
  /** The first few of what does not fit, to be looked at. */
  invalid: LineFault[];
  invalidCount: number;
  /** Credits that a check of all of it costs. */
  cost: number;
  /** Into how many batches it goes. */
  batches: number;
  /** The columns of a table: what is read from each, or null. */
  columns: Column[];
  question: Question | null;
  comments: number;
  blank: number;
  withoutScheme: number;
  addressLike: number;
  /** What was chosen, for the fields that say it. */
  addsScheme: boolean;
  isWhole: boolean | null;
  areKeywords: boolean;
  about: string;
  understood: string;
  /** The only entry, when it looks like the address of a sitemap. */
  sitemap: string | null;
}

/** What is said of the box before anything is charged; entries are judged as the API judges them. */
export async function describe(
  context: JudgeContext,
  { list, entries, duplicates, problem, about, understood, choice }: Box,
  form?: Form,
): Promise<Reading> {
  const faults = !list
    ? { shown: [], count: 0 }
    : list.kind === 'urls'
      ? await faultsOfUrls(context, entries)
      : await faultsOfQueries(context, entries, form);
  const [only] = entries;
  return {
    kind: entries.length === 0 ? 'nothing' : (list?.kind ?? 'nothing'),
    problem: problem ?? (list && entries.length === 0 ? emptyOf(list.columns, list.kind) : null),
    total: entries.length + duplicates,
    duplicates,
    invalid: faults.shown,
    invalidCount: faults.count,
    cost: entries.length - faults.count,
    batches: Math.ceil(entries.length / batchSizeMax),
    columns: list?.columns ?? [],
    question: list?.question ?? null,
    comments: list?.comments ?? 0,
    blank: list?.blank ?? 0,
    withoutScheme: list?.withoutScheme ?? 0,
    addressLike: list?.addressLike ?? 0,
    addsScheme: choice.addsScheme ?? false,
    isWhole: choice.isWhole ?? null,
    areKeywords: form?.text('as_keywords') === 'yes' && form.text('about') === about,
    about,
    understood,
    sitemap: only && entries.length === 1 && isLikeSitemap(only.text) ? only.text : null,
  };
}

function emptyOf(columns: Column[], kind: ListKind): string | null {
  if (columns.length === 0) return null;
  return `No column of this table holds ${kind === 'urls' ? 'addresses' : 'keywords'}.`;
}

function isLikeSitemap(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && /sitemap|\.xml$|\.xml\.gz$/i.test(text);
}
