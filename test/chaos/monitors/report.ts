import type { MonitorOutcome } from './run.ts';

/** The closing table of a run. */
export function report({ seed, journal, kills, caughtStarting, proof, problems }: MonitorOutcome): string {
  const rows: Array<[string, string]> = [
    ['seed', String(seed)],
    ['duration', `${journal.seconds.toFixed(0)} s`],
    [
      'kill -9',
      `${kills.worker + kills.web}: ${kills.worker} workers, ${kills.web} webs; ${caughtStarting} while they started runs`,
    ],
  ];
  if (proof)
    rows.push(
      ['due times', `${proof.dueTimes}, one run each`],
      [
        'runs',
        `${proof.runs}: ${proof.byHand} by hand, ${proof.overlaps} skipped as overlap, ${proof.late} late`,
      ],
      ['credits', `${proof.charged} charged, the ledger is sound`],
      ['messages', `${proof.told} owed, ${proof.received} received`],
    );
  rows.push(['verdict', problems.length === 0 ? 'no run doubled, none lost' : `${problems.length} problems`]);
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return [...lines, ...problems.map((problem) => `✘ ${problem}`)].join('\n');
}
