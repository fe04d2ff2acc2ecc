import { changeKindEntry } from '../../schemas/change-kinds.ts';
import type { MonitorChange, MonitorSubject } from '../../schemas/monitor-history.ts';
import type { Tone } from './shares.ts';

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
    fields: fieldsOf({ ...before }, { ...after }),
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

function fieldsOf(before: Record<string, unknown>, after: Record<string, unknown>): ChangeView['fields'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.map((name) => ({
    name: namesOfFields[name] ?? (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' '),
    before: valueWords(name, before[name]),
    after: valueWords(name, after[name]),
  }));
}

function valueWords(name: string, value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (name === 'rank' && typeof value === 'number') return `#${value}`;
  if (name === 'status' && value === 0) return 'no answer';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 500);
}
