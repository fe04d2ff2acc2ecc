import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '../../db/connect.ts';
import * as deliveries from '../../db/deliveries.ts';
import { createBoss } from '../../db/queue.ts';
import { Client } from './client.ts';
import { Crew } from './crew.ts';
import { Customer } from './customer.ts';
import { ChaosDatabase } from './database.ts';
import { liveAndDie, terminate } from './deaths.ts';
import { freezeWebInCheck, sweepAsIfLater } from './frozen-web.ts';
import { Journal } from './journal.ts';
import { sufferOutages } from './outages.ts';
import { type Plan, planFor, type Scale } from './plan.ts';
import { type Proof, prove } from './proof.ts';
import { Random } from './random.ts';
import { countOpen, type Stage, until } from './stage.ts';
import { workWithoutRoute } from './walled-in.ts';
import { World } from './world.ts';

export interface Outcome {
  plan: Plan;
  scale: Scale;
  journal: Journal;
  resumedMs: number[];
  /** Null when the run did not come to its end. */
  proof: Proof | null;
  /** Everything that was not as it must be; empty when all is well. */
  problems: string[];
}

interface RunOptions {
  seed: number;
  scale: Scale;
  print: (line: string) => void;
  /** Aborting it ends the run and everything it started. */
  signal?: AbortSignal;
}

const resumedMaxMs = 30_000;
const quietWithinMs = 150_000;

/** One run: the processes of the Procfile do their work while they, the database and the network are made to fail. */
export async function runChaos({ seed, scale, print, signal }: RunOptions): Promise<Outcome> {
  const plan = planFor(seed, scale);
  const journal = new Journal(print);
  const over = AbortSignal.any([AbortSignal.timeout(scale.timeoutMs), ...(signal ? [signal] : [])]);
  const random = new Random(seed);
  const world = await World.open(random);
  const database = await ChaosDatabase.start();
  const crew = new Crew(database, world);
  let proof: Proof | null = null;
  const endAll = () => {
    crew.killAll();
    database.abandon();
  };
  process.once('exit', endAll);
  try {
    const stage = await setUp({ plan, scale, journal, over, world, database, crew, random });
    proof = await play(stage);
  } catch (error) {
    journal.complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    crew.killAll();
    await world.close();
  }
  const resumedMs = world.witness.resumedMs;
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

type Setting = Pick<Stage, 'plan' | 'scale' | 'journal' | 'over' | 'world' | 'database' | 'crew'> & {
  random: Random;
};

async function setUp({ random, ...setting }: Setting): Promise<Stage> {
  const { crew, scale, database, world } = setting;
  const client = new Client(() => crew.webs(), random, setting.over);
  let batches = 0;
  const nextBatch = () => {
    batches += 1;
    return batches;
  };
  const offer = () => (batches < scale.batchesMax ? nextBatch() : null);
  const about = { db: database.db, client, world, scale, random, nextBatch: offer };
  const create = () => Customer.create(about);
  const customers = await Promise.all(Array.from({ length: scale.customers }, create));
  return { ...setting, client, customers, prober: await create(), nextBatch };
}

async function play(stage: Stage): Promise<Proof> {
  const { crew, scale, plan, journal, customers, database, world, prober } = stage;
  let workers = await startAll(stage, 'worker', scale.steady.worker);
  const webs = await startAll(stage, 'web', scale.steady.web);
  const closing = new AbortController();
  const telling = setInterval(() => void tell(stage), 5000);
  const living = customers.map((customer) => customer.live(AbortSignal.any([closing.signal, stage.over])));
  const freezing = freezeWebInCheck(stage, scale.freezeWebMs);
  freezing.catch(() => {});
  try {
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
    clearInterval(telling);
  }
  await Promise.all([...workers, ...webs].map((member) => terminate(stage, member)));
  return prove(database.db, [...customers, prober], world.received);
}

function startAll({ crew }: Stage, kind: 'web' | 'worker', count: number) {
  return Promise.all(Array.from({ length: count }, () => crew.start(kind)));
}

/** Whatever a death cut off has been taken up by somebody, before the database begins to fail. */
async function expectResumed(stage: Stage): Promise<void> {
  const { witness } = stage.world;
  const isResumed = () => witness.waiting.length === 0;
  await until(stage, isResumed, {
    timeoutMs: 60_000,
    what: 'all that deaths cut off is taken up again',
  }).catch((error: Error) => stage.journal.complain(`${error.message}: ${witness.waiting.join(' ')}`));
}

/** Every batch final, every webhook answered, no job left. */
async function expectQuiet(stage: Stage): Promise<void> {
  const isQuiet = async () => Object.values(await countOpen(stage)).every((count) => count === 0);
  stage.journal.say('nothing more is asked for; what was begun is ended');
  const areBatchesFinal = async () => (await countOpen(stage)).batches === 0;
  await until(stage, areBatchesFinal, { timeoutMs: quietWithinMs, what: 'every batch ends' });
  await sendAgain(stage);
  await until(stage, isQuiet, { timeoutMs: quietWithinMs, what: 'everything ends' });
  await sleep(500);
}

/** Deliveries that failed twice wait for minutes, which a run has not: sent again, as their owner might. */
async function sendAgain({ database }: Stage): Promise<void> {
  const waiting = await database.db
    .selectFrom('deliveries')
    .select(['accountId', 'batchId'])
    .where('state', '=', 'pending')
    .where('attempts', '>', 1)
    .execute();
  const boss = createBoss({ url: database.postgres.url, backend: 'postgres', max: 1, role: 'web' });
  await boss.start();
  try {
    for (const ref of waiting) await inTransaction(database.db, (trx) => deliveries.resend(trx, boss, ref));
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function tell(stage: Stage): Promise<void> {
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

/** What the run was to show and did not. */
function shortcomings({ workerFates, webFates }: Scale, { deaths }: Journal, resumedMs: number[]): string[] {
  const problems: string[] = [];
  const planned = { worker: workerFates, web: webFates };
  for (const [kind, fates] of Object.entries(planned)) {
    for (const [by, count] of Object.entries(fates)) {
      const happened = deaths.get(`${kind} ${by}`)?.inFlight.length ?? 0;
      if (by !== 'term' && by !== 'freeze' && happened < count)
        problems.push(`${kind} ${by}: ${happened} of ${count}`);
    }
  }
  const slowest = Math.max(0, ...resumedMs);
  if (slowest > resumedMaxMs) problems.push(`work cut off by a death was taken up only after ${slowest} ms`);
  return problems;
}
