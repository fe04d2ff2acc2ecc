import { setImmediate } from 'node:timers/promises';
import type { ListEntry } from '../../../lists/list.ts';
import { createTargetValidator } from '../../../net/target-validator.ts';
import type { DashboardContext } from '../context.ts';

/** An invalid line and its problem. */
export interface LineFault {
  line: number;
  text: string;
  problem: string;
}

export interface Faults {
  shown: LineFault[];
  count: number;
  /** Price of the valid lines in credits. */
  cost: number;
}

/** Context of the validation: allowed targets, search providers and page limits. */
export interface ValidationContext extends Pick<DashboardContext, 'policy' | 'search'> {
  config: { providers: Pick<DashboardContext['config']['providers'], 'fullPagesMax'> };
}

export const faultsShownMax = 20;
/** Duration of a slice of work. Other requests run after each slice. */
const sliceMs = 1;

/** Counts the URLs that are invalid by the rules of the API, and returns the first of them. */
export async function findUrlFaults(
  { policy }: ValidationContext,
  entries: readonly ListEntry[],
): Promise<Faults> {
  const judge = createTargetValidator(policy);
  const shown: LineFault[] = [];
  let count = 0;
  let sliceEndMs = performance.now() + sliceMs;
  for (const { line, text } of entries) {
    if (performance.now() > sliceEndMs) {
      await setImmediate();
      sliceEndMs = performance.now() + sliceMs;
    }
    const problem = judge(text);
    if (problem === null) continue;
    count += 1;
    if (shown.length < faultsShownMax) shown.push({ line, text, problem });
  }
  return { shown, count, cost: entries.length - count };
}
