import type { ListKind } from '../../../lists/list.ts';
import { defaultTimes } from '../../../monitors/due-times.ts';
import type { CheckType } from '../../../schemas/check-types.ts';
import { counted } from '../format.ts';
import type { Form } from '../forms.ts';

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
  return Object.hasOwn(checkNames, word) ? (word as Check) : null;
}

export interface Priced {
  /** Number of entries that are checked. */
  valid: number;
  /** Price in credits. If an AI Overview is not shown, its credit is refunded. */
  cost: number;
}

/** The parts of a list summary that the buttons show. */
interface Readable extends Priced {
  kind: string;
  problem: string | null;
  /** The checks of each run of a monitor with the list. */
  monitored: Priced;
}

/** Returns the price of checks, such as `2 credits`, or `up to 4 credits` with AI Overviews. */
export function describePrice({ valid, cost }: Priced, times = 1): string {
  return `${cost > valid ? 'up to ' : ''}${counted(cost * times, 'credit')}`;
}

export function submitLabel(reading: Readable, check: Check): string {
  const { kind, problem, valid } = reading;
  if (problem || kind === 'nothing' || valid === 0) return `Check ${checkNames[check]}`;
  const what = counted(valid, check === 'ranks' ? 'keyword' : 'URL');
  return `Check ${what} · ${describePrice(reading)}`;
}

export function saveLabel({ kind, problem, monitored }: Readable, isAddition: boolean): string {
  const label = isAddition ? 'Add to list' : 'Save list';
  return problem || kind === 'nothing' || monitored.valid === 0
    ? label
    : `${label} · ${describePrice(monitored)}${isAddition ? ' more' : ''} per run`;
}

/** The work and price of a monitor with the default schedule, which the form shows before it creates the monitor. */
interface Plan {
  /** Returned by the form to prove that the plan was shown. */
  key: string;
  entries: string;
  from: string;
  until: string;
  monthlyPrice: string;
}

export function toPlan(check: Check, checks: Priced): Plan {
  return {
    key: `${check} ${checks.valid} ${checks.cost}`,
    entries: counted(checks.valid, check === 'ranks' ? 'keyword' : 'URL'),
    ...defaultTimes,
    monthlyPrice: describePrice(checks, 30),
  };
}
