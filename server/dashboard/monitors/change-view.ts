import { type ChangeKind, changeKindEntry } from '../../../schemas/change-kinds.ts';
import type { MonitorChange, MonitorSubject } from '../../../schemas/monitor-history.ts';
import type { Tone } from '../evidence/shares.ts';

/** What changed of a subject, as pages show it. */
export interface ChangeView {
  monitorHref: string;
  href: string;
  subject: string;
  /** Where a query was asked; empty for an address. */
  where: string;
  sentence: string;
  tone: Tone;
  /** What it was before and is now, field by field. */
  fields: Array<{ name: string; before: string; after: string }>;
  at: Date;
}

export function changeView(change: MonitorChange): ChangeView {
  const { monitor_id: monitorId, subject_id: subjectId, subject, kind, before, after, at } = change;
  const { sentence } = changeKindEntry(kind);
  const monitorHref = `/monitors/${monitorId}`;
  return {
    monitorHref,
    href: `${monitorHref}/subjects/${subjectId}`,
    ...subjectWords(subject),
    sentence,
    tone: toneOf(change),
    fields: fieldsOf(kind, { ...before }, { ...after }),
    at: new Date(at),
  };
}

/** Another status is bad news where the address is dead now, and good where it was. */
function toneOf({ kind, before, after }: MonitorChange): Tone {
  const { isGood } = changeKindEntry(kind);
  if (isGood !== null) return isGood ? 'good' : 'bad';
  if (kind !== 'status_changed') return 'info';
  const [was, is] = [before, after].map((fields) => isDead({ ...fields }));
  return was === is ? 'info' : is ? 'bad' : 'good';
}

function isDead({ status }: { status?: unknown }): boolean {
  return typeof status === 'number' && (status === 0 || status >= 400);
}

/** What a subject is called, and where a query is asked. */
export function subjectWords(subject: MonitorSubject | null): { subject: string; where: string } {
  if (subject === null) return { subject: 'Removed', where: '' };
  if (typeof subject === 'string') return { subject, where: '' };
  const { keyword, target_url: target, country, language, device } = subject;
  return { subject: keyword, where: [target, country, language, device].filter(Boolean).join(' · ') };
}

const namesOfFields: Record<string, string> = {
  is_soft404: 'Soft 404',
  is_indexed: 'Indexed',
  ranked_url: 'Page that ranks',
  final_url: 'Final address',
  matched_url: 'Address that Google shows',
  similar_url: 'Shown instead',
  noindex: 'noindex',
};

/** Where the status is the news. */
const kindsOfStatus: string[] = ['status_changed', 'unreachable', 'recovered'] satisfies ChangeKind[];

/** What a page has with a status of 200 alone, so that it comes and goes with it. */
const comesWithStatus = ['title', 'noindex', 'canonical', 'is_soft404'];

/** The status first; without what reads the same on both sides, and what only comes or goes with another status. */
function fieldsOf(
  kind: ChangeKind,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): ChangeView['fields'] {
  const isBeside = (name: string) =>
    kindsOfStatus.includes(kind) &&
    (name === 'initial_status' ||
      (comesWithStatus.includes(name) && [before[name], after[name]].some((value) => value == null)));
  return [...new Set(['status', ...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isBeside(name))
    .map((name) => ({
      name: namesOfFields[name] ?? (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' '),
      before: valueWords(name, before[name]),
      after: valueWords(name, after[name]),
    }))
    .filter((field) => field.before !== field.after);
}

function valueWords(name: string, value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (name === 'rank' && typeof value === 'number') return `#${value}`;
  if (name === 'status' && value === 0) return 'no answer';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 500);
}
