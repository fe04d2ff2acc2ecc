import { setImmediate } from 'node:timers/promises';
import type { ListEntry } from '../../../lists/entries.ts';
import { createTargetJudge } from '../../../net/target-judge.ts';
import type { DashboardContext } from '../context.ts';

/** A line that is left out, and why. */
export interface LineFault {
  line: number;
  text: string;
  problem: string;
}

export interface Faults {
  shown: LineFault[];
  count: number;
}

/** What judging needs: which addresses are contacted, what providers can be asked, how many pages in full. */
export interface JudgeContext extends Pick<DashboardContext, 'policy' | 'search'> {
  config: { providers: Pick<DashboardContext['config']['providers'], 'fullPagesMax'> };
}

export const faultsShownMax = 20;
/** Other requests run after each slice. */
const sliceMs = 1;

/** Which addresses do not fit, judged as the API judges them: how many, and the first of them. */
export async function faultsOfUrls({ policy }: JudgeContext, entries: readonly ListEntry[]): Promise<Faults> {
  const judge = createTargetJudge(policy);
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
  return { shown, count };
}
