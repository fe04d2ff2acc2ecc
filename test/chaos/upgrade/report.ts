import { proofOf } from '../report.ts';
import type { UpgradeOutcome } from './run.ts';

/** The closing table of a run. */
export function report({ seed, journal, proof, problems }: UpgradeOutcome): string {
  const rows: Array<[string, string]> = [
    ['seed', String(seed)],
    ['duration', `${journal.seconds.toFixed(0)} s`],
    ...journal.notes.map((note): [string, string] => ['', note]),
    ...(proof ? proofOf(proof) : []),
    ['verdict', problems.length === 0 ? 'no request and no item failed' : `${problems.length} problems`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return [...lines, ...problems.map((problem) => `✘ ${problem}`)].join('\n');
}
