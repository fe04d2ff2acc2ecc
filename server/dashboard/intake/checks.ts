import type { ListKind } from '../../../lists/list.ts';
import { defaultTimes } from '../../../monitors/due-times.ts';
import type { CheckType } from '../../../schemas/check-types.ts';
import { counted } from '../format.ts';
import type { Form } from '../forms.ts';

/** The checks that the form's switch offers, with their names. */
export const checkNames = { http: 'HTTP status', index: 'Google index', ranks: 'Ranks' } as const;
export type Check = keyof typeof checkNames;

export function toCheck(type: CheckType): Check {
  return type === 'keyword' ? 'ranks' : type;
}

export function toCheckType(check: Check): CheckType {
  return check === 'ranks' ? 'keyword' : check;
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

/** Returns the check to offer for a list. This is the check in the switch if it fits the list. */
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
  /** Number of subjects of a monitor with the list. */
  subjects: number;
}

/** Label of the button that starts a check, with the price of the check. */
function submitLabel({ kind, problem, cost }: Readable, check: Check): string {
  if (problem || kind === 'nothing' || cost === 0) return `Check ${checkNames[check]}`;
  const what = counted(cost, check === 'ranks' ? 'keyword' : 'URL');
  return `Check ${what} · ${counted(cost, 'credit')}`;
}

/** Label of the button that saves the list of a monitor. */
function saveLabel({ kind, problem, subjects }: Readable): string {
  const label = 'Save list';
  return problem || kind === 'nothing' || subjects === 0
    ? label
    : `${label} · ${counted(subjects, 'credit')} per run`;
}

/** What a monitor with the default schedule does and costs, as the form shows it before it creates the monitor. */
export interface Plan {
  /** Returned by the form to prove that the plan was shown. */
  key: string;
  entries: string;
  from: string;
  until: string;
  monthlyPrice: string;
}

export function toPlan(check: Check, subjects: number): Plan {
  return {
    key: `${check} ${subjects}`,
    entries: counted(subjects, check === 'ranks' ? 'keyword' : 'URL'),
    ...defaultTimes,
    monthlyPrice: counted(subjects * 30, 'credit'),
  };
}

/** Label of the first button. The button saves the list of a monitor, or starts a check. */
export function createButtonLabel(
  reading: Readable,
  check: Check,
  { isOfMonitor }: { isOfMonitor: boolean },
): string {
  return isOfMonitor ? saveLabel(reading) : submitLabel(reading, check);
}
