import { priceOf } from '../../../batches/accept.ts';
import type { MonitorRef } from '../../../db/monitors/monitors.ts';
import { removeSameSubjects, withoutCurrent } from '../../../db/monitors/subjects.ts';
import type { Db } from '../../../db/postgres/connect.ts';
import { describeLeftOut, describeUnread } from '../../../lists/left-out.ts';
import type { Column, List, ListEntry, ListKind, ListOptions, Question, Table } from '../../../lists/list.ts';
import type { InputOf } from '../../../schemas/check-types.ts';
import { batchSizeMax } from '../../../schemas/common.ts';
import { getPrice } from '../../../schemas/features.ts';
import { subjectsMax } from '../../../schemas/monitor-types.ts';
import type { Form } from '../forms.ts';
import { toAnswerFields, toDetected } from './answers.ts';
import type { Priced } from './checks.ts';
import type { Intake } from './intake.ts';
import {
  describeFaults,
  type LineFault,
  readEntries,
  type ValidatedEntries,
  type ValidationContext,
} from './read-entries.ts';

const previewMax = 10;

interface ListSummary {
  kind: ListKind | 'nothing';
  problem: string | null;
  question: Question | null;
  total: number;
  duplicates: number;
  invalid: LineFault[];
  invalidCount: number;
  /** Number of entries that a check of the list checks. */
  valid: number;
  /** Price of a check of the list, in credits. If an AI Overview is not shown, its credit is refunded. */
  cost: number;
  /** The checks of each run of a monitor with the list. For an addition, only those that are added. */
  monitored: Priced;
  /** Number of entries of an addition that are already in the monitor's list. */
  known: number;
  /** Number of batches that the list needs. */
  batches: number;
  /** The first entries, with the site of a keyword; empty for pasted lines. */
  preview: Array<{ text: string; site: string }>;
  tables: Table[];
  table: number | null;
  /** Columns of a table, each with the field that it holds, or null. */
  columns: Column[];
  /** Columns that were detected, as a field of the form. */
  detected: string;
  /** The user's answers, as fields of the form. */
  answers: Array<[name: string, value: string]>;
  options: ListOptions;
  /** Encoding, unless it is Unicode. */
  encoding: string | null;
  leftOut: string;
  /** Sentences about the files of a ZIP or lists of a JSON that were not read. */
  unread: string[];
  schemesAdded: number;
  hostsAdded: number;
  addressLike: number;
  areKeywords: boolean;
  about: string;
  understood: string;
  /** Sitemaps whose pages the form can read instead. */
  sitemaps: string[];
}

/** Summarises a list before anything is charged. Validates entries by the rules of the API. */
export async function summariseList(
  context: ValidationContext,
  { list, problem, about, understood, options }: Intake,
  form?: Form,
  addition: Addition | null = null,
): Promise<ListSummary> {
  const check = list?.kind === 'keywords' ? 'ranks' : 'http';
  const sent = list?.entries ?? [];
  const read = await readEntries(context, check, sent, form);
  const { entries, duplicates } = read;
  const { monitored, known } = await priceMonitor(read, addition);
  return {
    kind: !list || (entries.length === 0 && !list.question) ? 'nothing' : list.kind,
    problem,
    question: list?.question ?? null,
    total: sent.length,
    duplicates,
    invalid: describeFaults(check, read, form),
    invalidCount: read.skipped.length,
    valid: read.valid.length,
    cost: priceOf([{ inputs: read.valid }]),
    monitored,
    known,
    batches: Math.ceil(entries.length / batchSizeMax),
    preview: understood === '' ? [] : entries.slice(0, previewMax).map(toPreview),
    tables: list?.tables ?? [],
    table: list?.table ?? null,
    columns: list?.columns ?? [],
    detected: list ? toDetected(list, options) : '',
    answers: toAnswerFields(options),
    options,
    encoding: list?.encoding && !list.encoding.startsWith('utf-') ? list.encoding : null,
    leftOut: list ? describeLeftOut(list) : '',
    unread: describeUnread(list?.unread ?? []),
    schemesAdded: list?.schemesAdded ?? 0,
    hostsAdded: list?.hostsAdded ?? 0,
    addressLike: list?.addressLike ?? 0,
    areKeywords: form?.text('as_keywords') === 'yes' && form.text('about') === about,
    about,
    understood,
    sitemaps: findSitemaps(list),
  };
}

/** The monitor to whose list the entries are added. */
interface Addition {
  db: Db;
  monitor: MonitorRef;
}

/** Counts the checks of a run of a monitor. If the list is too long for a monitor, entries are not compared. */
async function priceMonitor(
  { valid }: ValidatedEntries,
  addition: Addition | null,
): Promise<{ monitored: Priced; known: number }> {
  // A monitor reads all pages of a query with competitors.
  const all = valid.map(({ input }) =>
    'competitor_urls' in input ? { ...input, full: true } : input,
  ) as InputOf[];
  const isLong = all.length > subjectsMax;
  const distinct = isLong ? all : await removeSameSubjects(all);
  const inputs =
    isLong || !addition ? distinct : await withoutCurrent(addition.db, addition.monitor, distinct);
  const cost = inputs.reduce((sum, input) => sum + getPrice(input), 0);
  return { monitored: { valid: inputs.length, cost }, known: distinct.length - inputs.length };
}

function toPreview({ text, rank }: ListEntry): { text: string; site: string } {
  return { text, site: String((rank as { url?: unknown }).url ?? '') };
}

const sitemapsShownMax = 20;

/**
 * Returns the entries if they are sitemaps. These are the sitemaps of an index or robots.txt, or a single URL that
 * looks like a sitemap.
 */
export function findSitemaps(list: List | null): string[] {
  const { areSitemaps, entries } = list ?? { areSitemaps: false, entries: [] };
  const [only] = entries;
  const isSitemap = only && entries.length === 1 && isLikeSitemap(only.text);
  return areSitemaps || isSitemap ? entries.slice(0, sitemapsShownMax).map(({ text }) => text) : [];
}

function isLikeSitemap(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && /sitemap|\.xml$|\.xml\.gz$/i.test(text);
}
