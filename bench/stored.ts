import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { connect } from '../db/connect.ts';
import { verify } from '../db/ledger-verify.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import { Acts, type Round } from './stored/acts.ts';
import { load } from './stored/load.ts';
import type { Taken } from './stored/meter.ts';
import { startServer } from './stored/server.ts';

/** Beside so many items there are ten times as many. */
const usualItems = 20_000_000;
const rounds = 11;
/** Rounds before the first that counts. */
const warmUp = 2;
/** Between rounds, so that what the server does after others' acts is done. */
const restMs = 500;

/**
 * What the acts of the service take beside so many items stored against a tenth of that, in turns on one Postgres. Both
 * databases are filled by COPY, and what is in them is proved as `admin ledger verify` does.
 */
export async function* benchStored(items = usualItems): AsyncGenerator<Figure> {
  const server = await startServer();
  try {
    const open: Acts[] = [];
    for (const [name, count] of [
      ['stored_small', items / 10],
      ['stored_large', items],
    ] as const) {
      const url = await server.create(name);
      const { largest } = await load(url, count);
      yield await proof(url);
      open.push(await Acts.open(url, largest));
    }
    await server.settle();
    const [small, large] = open as [Acts, Acts];
    yield* compare(small, large);
    for (const { meter } of open) yield await proof(meter.url);
    for (const acts of open) await acts.close();
  } finally {
    await server.stop();
  }
}

/** Both in turns, the one that begins changing. */
export async function* compare(small: Acts, large: Acts): AsyncGenerator<Figure> {
  const taken = { small: [] as Round[], large: [] as Round[] };
  for (let nth = 0; nth < warmUp + rounds; nth++) {
    const both = [
      { of: taken.small, acts: small },
      { of: taken.large, acts: large },
    ];
    for (const { of, acts } of nth % 2 ? both : both.toReversed()) {
      const round = await acts.round(nth);
      if (nth >= warmUp) of.push(round);
      await pause(restMs);
    }
  }
  for (const what of Object.keys(taken.small[0] ?? {}))
    yield figure(what, ofAct(taken.large, what), ofAct(taken.small, what));
}

function ofAct(rounds: Round[], what: string): Taken[] {
  return rounds.flatMap((round) => round[what] ?? []);
}

/** Processor time of Postgres is what is held to the bar: others work on the machine. */
function figure(what: string, large: Taken[], small: Taken[]): Figure {
  const side = (name: keyof Taken) => [large.map((one) => one[name]), small.map((one) => one[name])] as const;
  const told = (name: keyof Taken, unit: string) => {
    const [of, against] = side(name);
    return `${(median(of) / median(against)).toFixed(2)} × (${spread(of, unit)} against ${spread(against, unit)})`;
  };
  const [of, against] = side('processorMs');
  const note = `${spread(of)} of Postgres's processor against ${spread(against)}; time ${told('ms', 'ms')}, blocks ${told('blocks', '')}`;
  return ratio(what, [median(of), median(against)], { atMost: 1.2, note });
}

/** How much there is, and whether the books add up. */
async function proof(url: string): Promise<Figure> {
  const { db, close } = connect(url, 1, () => {});
  try {
    const { rows } = await sql<{ items: number; points: number; gigabytes: number }>`
      select (select count(*) from items) as items, (select count(*) from history) as points,
        pg_database_size(current_database()) / 1e9 as gigabytes`.execute(db);
    const { items = 0, points = 0, gigabytes = 0 } = rows[0] ?? {};
    const startedMs = performance.now();
    const { ok, accounts, entries, batches, singleChecks, faults } = await verify(db);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const value =
      `${items} items of ${batches} batches and ${singleChecks} single checks, ${points} points of history, ` +
      `${entries} entries of ${accounts} accounts, ${Number(gigabytes).toFixed(1)} GB; verified in ${seconds} s: ${ok ? 'sound' : JSON.stringify(faults.slice(0, 3))}`;
    return { what: 'what is stored', value, bar: 'sound', isMet: ok };
  } finally {
    await close();
  }
}
