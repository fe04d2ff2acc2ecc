import type { ListKind } from '../../../lists/list.ts';
import type { CheckType } from '../../../schemas/check-types.ts';
import { counted, grouped } from '../format.ts';
import type { Form } from '../forms.ts';

/** The checks that the form's switch offers, with their names. */
export const checkNames = { http: 'HTTP status', index: 'Google index', ranks: 'Ranks' } as const;
export type Check = keyof typeof checkNames;

export function toCheck(type: CheckType): Check {
  return type === 'keyword' ? 'ranks' : type;
}

/** Returns the check that the form's switch selects. */
export function readSwitch(form: Form): Check {
  return checkOf(form.text('type')) ?? 'http';
}

/**
 * Returns the check that the user chose. Returns null if the form only reads the list and the user has not changed the
 * switch.
 */
export function readChosenCheck(form: Form): Check | null {
  const check = checkOf(form.text('type'));
  return readStartedCheck(form) ?? (check && form.text('type') !== form.text('offered') ? check : null);
}

/** Returns the check to offer for a list: the one in the switch if it fits. */
export function fitCheck(selected: Check, kind: ListKind | 'nothing'): Check {
  if (kind === 'nothing' || (selected === 'ranks') === (kind === 'keywords')) return selected;
  return kind === 'keywords' ? 'ranks' : 'http';
}

/** Returns the check that the form starts; null if it only reads the list. */
export function readStartedCheck(form: Form): Check | null {
  const check = form.text('check');
  return check === 'go' || check === 'watch' ? readSwitch(form) : checkOf(check);
}

function checkOf(word: string): Check | null {
  return word in checkNames ? (word as Check) : null;
}

/** The parts of a list summary that the buttons show. */
interface Readable {
  kind: string;
  problem: string | null;
  /** Price of the check in credits. */
  cost: number;
}

/** Label of the button that starts a check, with the price of the check. */
function submitLabel({ kind, problem, cost }: Readable, check: Check): string {
  if (problem || kind === 'nothing' || cost === 0) return `Check ${checkNames[check]}`;
  const what = counted(cost, check === 'ranks' ? 'keyword' : 'URL');
  return `Check ${what} · ${counted(cost, 'credit')}`;
}

const runsPerMonth = 30;

/** Label of the button that creates a monitor, with the price of a run and of a month. */
function watchLabel({ kind, problem, cost }: Readable): string {
  const label = 'Check this every day';
  if (problem || kind === 'nothing' || cost === 0) return label;
  return `${label} · ${counted(cost, 'credit')} per run, ${grouped(cost * runsPerMonth)} per month`;
}

/** Label of the button that saves the list of a monitor. */
function saveLabel({ kind, problem, cost }: Readable): string {
  const label = 'Save list';
  return problem || kind === 'nothing' || cost === 0
    ? label
    : `${label} · ${counted(cost, 'credit')} per run`;
}

/** Labels of the two buttons. The form for a monitor's list has only the first. */
export function createButtonLabels(
  reading: Readable,
  check: Check,
  { isOfMonitor }: { isOfMonitor: boolean },
): { go: string; watch: string } {
  if (isOfMonitor) return { go: saveLabel(reading), watch: '' };
  return { go: submitLabel(reading, check), watch: watchLabel(reading) };
}
