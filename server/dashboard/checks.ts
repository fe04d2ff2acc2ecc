import { counted } from './format.ts';
import type { Form } from './forms.ts';

/** What the switch of the box can be set to, and its name. */
export const checkNames = { http: 'HTTP status', index: 'Google index', ranks: 'Ranks' } as const;
export type Check = keyof typeof checkNames;

/** What the switch is set to. */
export function switchOf(form: Form): Check {
  return checkOf(form.text('type')) ?? 'http';
}

/** The check that a form begins: by its button, or as the switch says; null for one that only wants to be read. */
export function begunBy(form: Form): Check | null {
  const check = form.text('check');
  return check === 'go' ? switchOf(form) : checkOf(check);
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
export function goLabel({ kind, problem, cost }: Readable, check: Check): string {
  if (problem || kind === 'nothing') return `Check ${checkNames[check]}`;
  const what = counted(cost, check === 'ranks' ? 'keyword' : 'URL');
  return `Check ${what} · ${counted(cost, 'credit')}`;
}
