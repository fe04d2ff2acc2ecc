import { type ChangeKind, getChangeKind } from '../../../schemas/change-kinds.ts';
import type { MonitorChange, MonitorSubject } from '../../../schemas/monitor-history.ts';
import type { Tone } from '../evidence/shares.ts';
import { searchLabel } from '../format.ts';

export interface ChangeView {
  monitorHref: string;
  href: string;
  subject: string;
  /** Target, place, language and device of a query; '' for a URL. */
  where: string;
  sentence: string;
  tone: Tone;
  /** The changed fields with their values before and after. */
  fields: Array<{ name: string; before: string; after: string }>;
  at: Date;
}

export function toChangeView(change: MonitorChange): ChangeView {
  const { monitor_id: monitorId, subject_id: subjectId, subject, kind, before, after, at } = change;
  const { sentence } = getChangeKind(kind);
  const monitorHref = `/monitors/${monitorId}`;
  return {
    monitorHref,
    href: `${monitorHref}/subjects/${subjectId}`,
    ...toSubjectLabels(subject),
    sentence,
    tone: toneOf(change),
    fields: changedFields(kind, { ...before }, { ...after }),
    at: new Date(at),
  };
}

/** A changed status is bad if only the new status means a dead URL. It is good if only the old status means that. */
function toneOf({ kind, before, after }: MonitorChange): Tone {
  const { isGood } = getChangeKind(kind);
  if (isGood !== null) return isGood ? 'good' : 'bad';
  if (kind !== 'status_changed') return 'info';
  const [was, is] = [before, after].map((fields) => isDead({ ...fields }));
  return was === is ? 'info' : is ? 'bad' : 'good';
}

function isDead({ status }: { status?: unknown }): boolean {
  return typeof status === 'number' && (status === 0 || status >= 400);
}

/** Returns the URL or keyword as `subject`, and for a query its target, place, language and device as `where`. */
export function toSubjectLabels(subject: MonitorSubject | null): { subject: string; where: string } {
  if (subject === null) return { subject: 'Removed', where: '' };
  if (typeof subject === 'string') return { subject, where: '' };
  return { subject: subject.keyword, where: `${subject.target_url} · ${searchLabel(subject)}` };
}

const fieldNames: Record<string, string> = {
  is_soft404: 'Soft 404',
  is_indexed: 'Indexed',
  ranked_url: 'Ranked page',
  final_url: 'Final URL',
  matched_url: 'URL in Google',
  similar_url: 'Shown instead',
  noindex: 'noindex',
  ai_overview: 'AI Overview',
  ai_cited: 'Cited by the AI Overview',
  ai_cited_url: 'Cited page',
  snippet_owned: 'Has the featured snippet',
};

/** Kinds of changes in which the status itself changed. */
const statusKinds: string[] = ['status_changed', 'unreachable', 'recovered'] satisfies ChangeKind[];

/** Fields that only pages with status 200 have. */
const status200Fields = ['title', 'noindex', 'canonical', 'is_soft404'];

/** Lists the changed fields, the status first. Leaves out fields that changed only because the status changed. */
function changedFields(
  kind: ChangeKind,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): ChangeView['fields'] {
  const isConsequence = (name: string) =>
    statusKinds.includes(kind) &&
    (name === 'initial_status' ||
      (status200Fields.includes(name) && [before[name], after[name]].some((value) => value == null)));
  return [...new Set(['status', ...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isConsequence(name))
    .map((name) => ({
      name: fieldNames[name] ?? (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' '),
      before: valueWords(name, before[name]),
      after: valueWords(name, after[name]),
    }))
    .filter((field) => field.before !== field.after);
}

function valueWords(name: string, value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (name === 'rank' && typeof value === 'number') return `#${value}`;
  if (name === 'status' && value === 0) return 'no HTTP response';
  if (value === 'not_shown') return 'not shown';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 500);
}
