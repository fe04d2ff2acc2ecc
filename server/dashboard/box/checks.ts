import type { CheckType } from '../../../schemas/check-types.ts';
import { counted, grouped } from '../format.ts';
import type { Form } from '../forms.ts';

/** What the switch of the box can be set to, and its name. */
export const checkNames = { http: 'HTTP status', index: 'Google index', ranks: 'Ranks' } as const;
export type Check = keyof typeof checkNames;

/** The check of the box by the type of its batches and monitors. */
export function checkOfType(type: CheckType): Check {
  return type === 'keyword' ? 'ranks' : type;
}

/** What the switch is set to. */
export function switchOf(form: Form): Check {
  return checkOf(form.text('type')) ?? 'http';
}

/** The check that a form begins: by its button, or as the switch says; null for one that only wants to be read. */
export function begunBy(form: Form): Check | null {
  const check = form.text('check');
  return check === 'go' || check === 'watch' ? switchOf(form) : checkOf(check);
}

function checkOf(word: string): Check | null {
  return word in checkNames ? (word as Check) : null;
}

/** What the box says it read, as far as its button repeats it. */
interface Readable {
  kind: string;
  problem: string | null;
  /** Credits. */
  cost: number;
}

/** What the button says: what would be checked, and at what price. */
function goLabel({ kind, problem, cost }: Readable, check: Check): string {
  if (problem || kind === 'nothing') return `Check ${checkNames[check]}`;
  const what = counted(cost, check === 'ranks' ? 'keyword' : 'URL');
  return `Check ${what} · ${counted(cost, 'credit')}`;
}

const runsPerMonth = 30;

/** What the button of a monitor says: what each of its runs would cost, and all of a month's. */
function watchLabel({ kind, problem, cost }: Readable): string {
  const label = 'Check this every day';
  if (problem || kind === 'nothing' || cost === 0) return label;
  return `${label} · ${counted(cost, 'credit')} a run, ${grouped(cost * runsPerMonth)} a month`;
}

/** What the button says that keeps the list of a monitor. */
function saveLabel({ kind, problem, cost }: Readable): string {
  const label = 'Save this list';
  return problem || kind === 'nothing' ? label : `${label} · ${counted(cost, 'credit')} a run`;
}

/** What the two buttons of the box say; of the list of a monitor there is one alone. */
export function labelsOf(
  reading: Readable,
  check: Check,
  { isOfMonitor }: { isOfMonitor: boolean },
): { go: string; watch: string } {
  if (isOfMonitor) return { go: saveLabel(reading), watch: '' };
  return { go: goLabel(reading, check), watch: watchLabel(reading) };
}
