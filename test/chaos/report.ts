import { quantile } from '../../bench/figures.ts';
import type { Outcome } from './run.ts';

/** Formats the final table of a run. */
export function report({ plan, journal, resumedMs, proof, problems }: Outcome): string {
  const deaths = [...journal.deaths.values()];
  const rows: Array<[string, string]> = [
    ['seed', String(plan.seed)],
    ['duration', `${journal.seconds.toFixed(0)} s`],
    ...(['worker', 'web'] as const).map((kind): [string, string] => [
      `kill -9, ${kind}`,
      formatKills(deaths.filter((death) => death.kind === kind)),
    ]),
    [
      'resumed after',
      resumedMs.length > 0
        ? `median ${seconds(quantile(resumedMs, 0.5))}, at most ${seconds(Math.max(...resumedMs))}, of ${resumedMs.length} chunks`
        : 'none',
    ],
    ['SIGTERM', formatStops(journal.stops)],
    ...journal.recoveries.map(({ fault, backAfterMs, listeningAfterMs }): [string, string] => [
      `database ${fault}`,
      `work again after ${seconds(backAfterMs)}, LISTEN after ${seconds(listeningAfterMs)}, no process restarted`,
    ]),
    ...journal.notes.map((note): [string, string] => ['', note]),
    ...(proof ? formatProof(proof) : []),
    [
      'verdict',
      problems.length === 0 ? 'nothing lost, nothing charged twice' : `${problems.length} problems`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  return [...lines, ...problems.map((problem) => `✘ ${problem}`)].join('\n');
}

function formatKills(deaths: Array<{ by: string; inFlight: number[] }>): string {
  const all = deaths.flatMap(({ inFlight }) => inFlight);
  const busy = all.filter((count) => count > 0);
  const kinds = deaths
    .map(({ by, inFlight }) => `${by === 'kill' ? 'at random' : by} ${inFlight.length}`)
    .sort();
  const median = busy.length > 0 ? `, median ${quantile(busy, 0.5)}` : '';
  return `${all.length} (${kinds.join(', ')}); ${busy.length} with checks in flight${median}`;
}

function formatStops(stops: Outcome['journal']['stops']): string {
  const inOrder = stops.filter(({ exit }) => exit === 0).length;
  const slowest = Math.max(0, ...stops.map(({ ms }) => ms));
  const cutOff = stops.reduce((sum, stop) => sum + stop.cutOff, 0);
  return `${stops.length}, exit 0 of ${inOrder}, after at most ${seconds(slowest)}, ${cutOff} requests left unanswered`;
}

function formatProof(proof: NonNullable<Outcome['proof']>): Array<[string, string]> {
  const failed = Object.entries(proof.failed).map(([error, count]) => `${error} ${count}`);
  return [
    ['batches', `${proof.batches}, all final`],
    ['single checks', `${proof.singleChecks} answered`],
    [
      'items',
      `${proof.items}, ${proof.rankChecks} of them rank checks: ${proof.answered} answered; refunded: ${failed.join(', ') || 'none'}`,
    ],
    ['webhooks', `${proof.webhooksExpected} expected, ${proof.webhooksReceived} received`],
    [
      'credits',
      `${proof.creditsCharged} charged − ${proof.creditsRefunded} refunded = ${proof.creditsCharged - proof.creditsRefunded} for ${proof.answered} answers and ${proof.overviews} AI Overviews`,
    ],
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
