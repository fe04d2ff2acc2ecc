import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../support/random.ts';
import { Client } from './client.ts';
import { Crew } from './crew.ts';
import { Customer } from './customer.ts';
import { ChaosDatabase } from './database.ts';
import { liveAndDie, terminate } from './deaths.ts';
import { freezeWebInCheck, sweepAsIfLater } from './frozen-web.ts';
import { Journal } from './journal.ts';
import { sufferOutages } from './outages.ts';
import { onCluster, type Plan, planFor, type Scale } from './plan.ts';
import { type Proof, prove } from './proof.ts';
import { countOpen, hastenRetries, type Stage, until } from './stage.ts';
import { workWithoutRoute } from './walled-in.ts';
import { World } from './world.ts';

export interface Outcome {
  plan: Plan;
  scale: Scale;
  journal: Journal;
  resumedMs: number[];
  /** Null if the run did not complete. */
  proof: Proof | null;
  /** All violations. */
  problems: string[];
}

interface RunOptions {
  seed: number;
  scale: Scale;
  print: (line: string) => void;
  /** The folder with the binaries of a Postgres that has Citus, to run on a cluster of it. */
  citus?: string;
  /** Aborts the run and everything it started. */
  signal?: AbortSignal;
}

const resumedWithinMs = 60_000;
const quietWithinMs = 150_000;

/**
 * Runs the processes of the Procfile while they, the database and the network fail. An error of the run counts as a
 * problem. If there are problems, the logs of the processes are kept.
 */
export async function runChaos({ seed, scale: asked, print, citus, signal }: RunOptions): Promise<Outcome> {
  const scale = citus === undefined ? asked : onCluster(asked);
  const plan = planFor(seed, scale);
  const journal = new Journal(print);
  const over = AbortSignal.any([AbortSignal.timeout(scale.timeoutMs), ...(signal ? [signal] : [])]);
  const random = new Random(seed);
  const world = await World.open(random);
  const database = await ChaosDatabase.start(citus);
  const crew = new Crew(database, world);
  const client = new Client(() => crew.webs(), random, over);
  const endAll = () => {
    crew.killAll();
    database.abandon();
  };
  process.once('exit', endAll);
  let proof: Proof | null = null;
  try {
    let batches = 0;
    const nextBatch = () => ++batches;
    const offer = () => (batches < scale.batchesMax ? nextBatch() : null);
    const create = () => Customer.create({ db: database.db, client, world, scale, random, nextBatch: offer });
    const customers = await Promise.all(Array.from({ length: scale.customers }, create));
    const prober = await create();
    proof = await play({
      ...{ journal, over, world, database, crew, client },
      ...{ plan, scale, customers, prober, nextBatch },
    });
  } catch (error) {
    journal.complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    crew.killAll();
    await world.close();
  }
  const { resumedMs } = world.witness;
  const problems = [
    ...journal.problems,
    ...(proof?.problems ?? []),
    ...shortcomings(scale, journal, resumedMs),
  ];
  if (problems.length > 0) print(`The logs of all processes are in ${database.folder}/logs`);
  process.off('exit', endAll);
  await database.stop({ isKept: problems.length > 0 });
  return { plan, scale, journal, resumedMs, proof, problems };
}

async function play(stage: Stage): Promise<Proof> {
  const { crew, scale, plan, journal, customers, database, world, prober } = stage;
  let workers = await startAll(stage, 'worker', scale.steady.worker);
  const webs = await startAll(stage, 'web', scale.steady.web);
  const closing = new AbortController();
  const printing = setInterval(() => void printProgress(stage), 5000);
  const noting = setInterval(() => void world.witness.findResumed(stage).catch(() => {}), 1000);
  const ending = AbortSignal.any([closing.signal, stage.over]);
  const living = customers.map((customer) => customer.live(ending));
  const freezing = freezeWebInCheck(stage, scale.freezeWebMs);
  for (const begun of [freezing, ...living]) begun.catch(() => {});
  try {
    // A short run does this before the deaths, because an interrupted request can be repeated only after 35 s.
    if (scale.freezeWebMs === null) await freezing;
    journal.say(`deaths begin: ${crew.workers().length} workers and ${crew.webs().length} webs live on`);
    await Promise.all([
      ...plan.workers.map((fates) => liveAndDie(stage, 'worker', fates)),
      ...plan.webs.map((fates) => liveAndDie(stage, 'web', fates)),
    ]);
    if (!scale.isHasty) await expectResumed(stage);
    await sufferOutages(stage, [...workers, ...webs]);
    await freezing;
    if (scale.hasWalledInWorker) workers = await workWithoutRoute(stage, workers);
    closing.abort();
    await expectResumed(stage);
    if (scale.freezeWebMs === null) await sweepAsIfLater(stage);
    await Promise.all(living);
    await expectQuiet(stage);
  } finally {
    closing.abort();
    clearInterval(printing);
    clearInterval(noting);
  }
  await Promise.all([...workers, ...webs].map((member) => terminate(stage, member)));
  return prove(database.db, [...customers, prober], world.received);
}

function startAll({ crew }: Stage, kind: 'web' | 'worker', count: number) {
  return Promise.all(Array.from({ length: count }, () => crew.start(kind)));
}

async function printProgress(stage: Stage): Promise<void> {
  const { batches, singles, deliveries, jobs } = await countOpen(stage).catch(
    () => ({}) as Record<string, number>,
  );
  const at =
    batches === undefined
      ? 'no database'
      : `${batches} batches, ${singles} single checks, ${deliveries} webhooks, ${jobs} jobs open`;
  const { crew } = stage;
  stage.journal.say(`… ${crew.workers().length} workers, ${crew.webs().length} webs; ${at}`);
}

/** Waits until all interrupted work has been resumed. */
async function expectResumed(stage: Stage): Promise<void> {
  const { witness } = stage.world;
  const isResumed = () => witness.waiting.length === 0;
  await until(stage, isResumed, {
    timeoutMs: resumedWithinMs,
    what: 'all interrupted work is resumed',
  }).catch((error: Error) => stage.journal.complain(`${error.message}: ${witness.waiting.join(' ')}`));
}

/** Waits until every batch is final, every webhook is answered and no job is left. */
async function expectQuiet(stage: Stage): Promise<void> {
  const isQuiet = async () => {
    await hastenRetries(stage);
    return Object.values(await countOpen(stage)).every((count) => count === 0);
  };
  stage.journal.say('no more requests; waiting until all work has ended');
  const areBatchesFinal = async () => {
    await hastenRetries(stage);
    return (await countOpen(stage)).batches === 0;
  };
  await until(stage, areBatchesFinal, { timeoutMs: quietWithinMs, what: 'every batch ends' });
  await until(stage, isQuiet, { timeoutMs: quietWithinMs, what: 'everything ends' });
  await sleep(500);
}

/** Lists the required events that did not happen in the run. */
function shortcomings(
  { workerFates, webFates, busyDeathsMin, resumedMaxMs }: Scale,
  { deaths }: Journal,
  resumedMs: number[],
): string[] {
  const problems: string[] = [];
  const planned = { worker: workerFates, web: webFates };
  for (const [kind, fates] of Object.entries(planned)) {
    for (const [by, count] of Object.entries(fates)) {
      const happened = deaths.get(`${kind} ${by}`)?.inFlight.length ?? 0;
      if (by !== 'term' && by !== 'freeze' && happened < count)
        problems.push(`${kind} ${by}: ${happened} of ${count}`);
    }
  }
  const workers = [...deaths.values()]
    .filter(({ kind }) => kind === 'worker')
    .flatMap(({ inFlight }) => inFlight);
  const busy = workers.filter((count) => count > 0).length;
  if (busy < busyDeathsMin) problems.push(`only ${busy} workers were killed with checks in flight`);
  const slowest = Math.max(0, ...resumedMs);
  if (slowest > resumedMaxMs) problems.push(`work cut off by a death was resumed only after ${slowest} ms`);
  return problems;
}
