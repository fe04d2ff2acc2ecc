import { describeLeftOut } from '../../../lists/left-out.ts';
import type { Column, ListKind, Question } from '../../../lists/list.ts';
import { batchSizeMax } from '../../../schemas/common.ts';
import type { Form } from '../forms.ts';
import { findUrlFaults, type LineFault, type ValidationContext } from './faults.ts';
import type { Intake } from './intake.ts';
import { findQueryFaults } from './rank-faults.ts';

/** The summary of a list that the form shows. */
export interface ListSummary {
  kind: ListKind | 'nothing';
  problem: string | null;
  total: number;
  duplicates: number;
  /** The first invalid lines. */
  invalid: LineFault[];
  invalidCount: number;
  /** Price of a check of the list, in credits. */
  cost: number;
  /** Number of batches that the list needs. */
  batches: number;
  /** Columns of a table, each with the field that it holds, or null. */
  columns: Column[];
  question: Question | null;
  /** Rows that were left out, and why; '' if none was. */
  leftOut: string;
  /** Number of URLs that got https://. */
  schemesAdded: number;
  addressLike: number;
  /** Choices of the user. */
  isWhole: boolean | null;
  areKeywords: boolean;
  about: string;
  understood: string;
  /** The only entry, if it looks like the URL of a sitemap; else null. */
  sitemap: string | null;
}

/** Summarises a list before anything is charged. Validates entries by the rules of the API. */
export async function summariseList(
  context: ValidationContext,
  { list, entries, duplicates, problem, about, understood, choice }: Intake,
  form?: Form,
): Promise<ListSummary> {
  const faults = !list
    ? { shown: [], count: 0 }
    : list.kind === 'urls'
      ? await findUrlFaults(context, entries)
      : await findQueryFaults(context, entries, form);
  const [only] = entries;
  return {
    kind: entries.length === 0 ? 'nothing' : (list?.kind ?? 'nothing'),
    problem,
    total: entries.length + duplicates,
    duplicates,
    invalid: faults.shown,
    invalidCount: faults.count,
    cost: entries.length - faults.count,
    batches: Math.ceil(entries.length / batchSizeMax),
    columns: list?.columns ?? [],
    question: list?.question ?? null,
    leftOut: list ? describeLeftOut(list) : '',
    schemesAdded: list?.schemesAdded ?? 0,
    addressLike: list?.addressLike ?? 0,
    isWhole: choice.isWhole ?? null,
    areKeywords: form?.text('as_keywords') === 'yes' && form.text('about') === about,
    about,
    understood,
    sitemap: only && entries.length === 1 && isLikeSitemap(only.text) ? only.text : null,
  };
}

function isLikeSitemap(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && /sitemap|\.xml$|\.xml\.gz$/i.test(text);
}
