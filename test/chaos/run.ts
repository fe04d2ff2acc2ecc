import { Abuser } from './abuser.ts';
import { Customer } from './customer.ts';
import { ChaosDatabase } from './database.ts';
import { liveAndDie, terminate } from './deaths.ts';
import { expectQuiet, expectResumed } from './ending.ts';
import { freezeWebInCheck, sweepAsIfLater } from './frozen-web.ts';
import { type Ground, onGround } from './ground.ts';
import { Journal } from './journal.ts';
import { sufferOutages } from './outages.ts';
import { type Plan, planFor, type Scale } from './plan.ts';
import { type Proof, prove } from './proof.ts';
import { onCluster } from './scales.ts';
import { countOpen, type Stage } from './stage.ts';
import { noteTakeUps } from './take-ups.ts';
import { workWithoutRoute } from './walled-in.ts';

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
  /** The folder with the binaries of a Postgres that has Citus, to run on a cluster of it. */
  citus?: string;
  /** Aborting it ends the run and everything it started. */
  signal?: AbortSignal;
}

/**
 * One run: the processes of the Procfile do their work while they, the database and the network are made to
 * fail.
 */
export async function runChaos({ seed, scale: asked, print, citus, signal }: RunOptions): Promise<Outcome> {
  const scale = citus === undefined ? asked : onCluster(asked);
  const plan = planFor(seed, scale);
  const journal = new Journal(print);
  const { timeoutMs } = scale;
  const { ground, proof, problems } = await onGround(
    { seed, journal, timeoutMs, print, signal, openDatabase: () => ChaosDatabase.start(citus) },
    {
      play: async (ground) => play(await setUp({ plan, scale, ...ground })),
      shortcomings: ({ world }) => shortcomings(scale, journal, world.witness.resumedMs),
    },
  );
  const { resumedMs } = ground.world.witness;
  return { plan, scale, journal, resumedMs, proof, problems };
}

type Setting = Pick<Stage, 'plan' | 'scale'> & Ground;

async function setUp({ random, ...setting }: Setting): Promise<Stage> {
  const { client, scale, database, world } = setting;
  let batches = 0;
  const nextBatch = () => {
    batches += 1;
    return batches;
  };
  const offer = () => (batches < scale.batchesMax ? nextBatch() : null);
  const about = { db: database.db, client, world, scale, random, nextBatch: offer };
  const create = () => Customer.create(about);
  const customers = await Promise.all(Array.from({ length: scale.customers }, create));
  const abuser = await Abuser.create(database.db, client, world.deadPort);
  return { ...setting, customers, abuser, prober: await create(), nextBatch };
}

async function play(stage: Stage): Promise<Proof> {
  const { crew, scale, plan, journal, customers, abuser, database, world, prober } = stage;
  let workers = await startAll(stage, 'worker', scale.steady.worker);
  const webs = await startAll(stage, 'web', scale.steady.web);
  const closing = new AbortController();
  const telling = setInterval(() => void tell(stage), 5000);
  const noting = setInterval(() => void noteTakeUps(stage).catch(() => {}), 1000);
  const ending = AbortSignal.any([closing.signal, stage.over]);
  const living = [
    ...customers.map((customer) => customer.live(ending)),
    abuser.live(ending, scale.abuserRestMs),
  ];
  const freezing = freezeWebInCheck(stage, scale.freezeWebMs);
  for (const begun of [freezing, ...living]) begun.catch(() => {});
  try {
    // What a death or an outage cuts off of its request is its own again after 35 s only, which such a run has not.
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
    clearInterval(telling);
    clearInterval(noting);
  }
  await Promise.all([...workers, ...webs].map((member) => terminate(stage, member)));
  journal.note(`an abuser made ${abuser.batches.length} batches, and was refused ${abuser.refused} times`);
  return prove(database.db, [...customers, prober, abuser], world.received);
}

function startAll({ crew }: Stage, kind: 'web' | 'worker', count: number) {
  return Promise.all(Array.from({ length: count }, () => crew.start(kind)));
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
  if (slowest > resumedMaxMs) problems.push(`work cut off by a death was taken up only after ${slowest} ms`);
  return problems;
}
