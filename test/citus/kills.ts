import { sql } from 'kysely';
import { Abuser } from '../chaos/abuser.ts';
import { Customer } from '../chaos/customer.ts';
import { ChaosDatabase } from '../chaos/database.ts';
import { expectQuiet } from '../chaos/ending.ts';
import { onGround } from '../chaos/ground.ts';
import { Journal } from '../chaos/journal.ts';
import { planFor, type Scale } from '../chaos/plan.ts';
import { type Proof, prove } from '../chaos/proof.ts';
import { short } from '../chaos/scales.ts';
import type { Stage } from '../chaos/stage.ts';
import { eventually } from '../support/eventually.ts';
import { type SlowAct, SlowCommits } from './slow-commits.ts';

interface KillOptions {
  seed: number;
  kills: number;
  /** The folder with the binaries of a Postgres that has Citus. */
  binaries: string;
  print: (line: string) => void;
}

/** What was there right after the coordinator was back, by what was cut off and how it was killed. */
type Tally = Record<'kills' | 'committed' | 'jobsLost' | 'prepared', number>;

const ways = ['its backend by SIGKILL', 'all of it at once'] as const;
const acts: SlowAct[] = ['accepting', 'ending'];

/**
 * Kills the coordinator again and again between a data node's commit and its own, in the middle of accepting and of
 * ending a batch, while others work. Answers how many problems there were.
 */
export async function runKills({ seed, kills, binaries, print }: KillOptions): Promise<number> {
  const scale: Scale = { ...short, timeoutMs: 60 * 60_000 };
  const journal = new Journal(print);
  const tallies = new Map<string, Tally>();
  const { timeoutMs } = scale;
  const { proof, problems } = await onGround(
    {
      seed,
      journal,
      timeoutMs,
      print,
      openDatabase: () => ChaosDatabase.start(binaries),
    },
    {
      play: async ({ random, ...ground }) => {
        const { database, client, world } = ground;
        let batches = 0;
        const nextBatch = () => ++batches;
        const about = { db: database.db, client, world, scale, random, nextBatch };
        const customers = await Promise.all([Customer.create(about), Customer.create(about)]);
        const prober = await Customer.create(about);
        const abuser = await Abuser.create(database.db, client, world.deadPort);
        const plan = planFor(seed, scale);
        return play({ ...ground, plan, scale, customers, abuser, prober, nextBatch }, kills, tallies);
      },
    },
  );
  tell({ seed, tallies, proof, problems, seconds: journal.seconds, print });
  return problems.length;
}

async function play(stage: Stage, kills: number, tallies: Map<string, Tally>): Promise<Proof> {
  const { crew, customers, prober, database, world, over } = stage;
  const slow = await SlowCommits.install(await nodesOf(database));
  const members = [await crew.start('worker'), await crew.start('web')];
  const closing = new AbortController();
  const living = customers.map((one) => one.live(AbortSignal.any([closing.signal, over])));
  const submitted: Array<Promise<unknown>> = [];
  for (const begun of living) begun.catch(() => {});
  try {
    for (let kill = 0; kill < kills; kill++) {
      const act = acts[kill % 2] ?? 'accepting';
      const way = ways[Math.floor(kill / 2) % 2] ?? ways[0];
      const asked = prober.submit(stage.nextBatch(), { type: 'http', receiver: 'willing' });
      asked.catch(() => {});
      submitted.push(asked);
      const found = await killAmid(stage, slow, act, way);
      const key = `${act}, ${way}`;
      const tally = tallies.get(key) ?? { kills: 0, committed: 0, jobsLost: 0, prepared: 0 };
      tallies.set(key, tally);
      for (const [name, count] of Object.entries({ kills: 1, ...found })) tally[name as keyof Tally] += count;
      stage.journal.say(`${kill + 1}: coordinator killed, ${key}: ${JSON.stringify(found)}`);
    }
    closing.abort();
    await Promise.all([...living, ...submitted]);
    await expectQuiet(stage);
    // Citus looks for what was left prepared every two seconds here.
    await eventually(async () => ((await slow.countPrepared()) === 0 ? true : null), 30_000);
  } finally {
    closing.abort();
    await slow.close();
  }
  const lost = members.filter(({ hasEnded }) => hasEnded).map(({ name }) => name);
  if (lost.length > 0) stage.journal.complain(`${lost.join(', ')} ended with the coordinator`);
  return prove(database.db, [...customers, prober], world.received);
}

/** The database at each data node, as the superuser, who is the same everywhere. */
async function nodesOf({ db, postgres }: ChaosDatabase): Promise<string[]> {
  const { rows } = await sql<{ port: number }>`
    select nodeport as port from pg_dist_node where groupid > 0 order by groupid`.execute(db);
  return rows.map(({ port }) => {
    const url = new URL(postgres.adminUrl);
    return Object.assign(url, { port: String(port), pathname: '/sonde' }).href;
  });
}

/** Waits until a data node is committing, kills the coordinator, and answers what each of them has then. */
async function killAmid(
  { database, prober }: Stage,
  slow: SlowCommits,
  act: SlowAct,
  way: (typeof ways)[number],
): Promise<Omit<Tally, 'kills'>> {
  await slow.want(prober.accountId, act);
  await eventually(async () => ((await slow.isCommitting()) ? true : null), undefined, 20);
  if (way === 'all of it at once') await database.stopImmediately();
  else await killBackend(database);
  await slow.want(null, act);
  await eventually(async () => ((await slow.isCommitting()) ? null : true));
  const prepared = await slow.countPrepared();
  const committed = await slow.takeCommitted();
  if (way === 'all of it at once') await database.startAgain();
  const jobsLost = await eventually(() => countLost(database, act, committed).catch(() => null));
  return { committed: committed.length, jobsLost, prepared };
}

/** Its postmaster then ends all others and starts anew by itself. */
async function killBackend({ db }: ChaosDatabase): Promise<void> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where usename = 'sonde' and state = 'active' and query ilike 'commit%'
    order by xact_start limit 1`.execute(db);
  const [backend] = rows;
  if (!backend) throw new Error('nobody commits at the coordinator');
  process.kill(backend.pid, 'SIGKILL');
}

/** How many of these batches have no job at the coordinator that their node names. */
async function countLost({ db }: ChaosDatabase, act: SlowAct, batchIds: string[]): Promise<number> {
  const [table, id] = (act === 'accepting' ? ['chunks', 'batch_id'] : ['deliveries', 'event_id']).map(
    (name) => sql.ref(name),
  );
  const named = await sql<{ jobId: string }>`
    select job_id from ${table} where ${id} = any(${batchIds}::uuid[]) and job_id is not null`.execute(db);
  const ids = named.rows.map(({ jobId }) => jobId);
  const { rows } = await sql`select from pgboss.job where id = any(${ids}::uuid[])`.execute(db);
  return ids.length - rows.length;
}

interface Told {
  seed: number;
  tallies: Map<string, Tally>;
  proof: Proof | null;
  problems: string[];
  seconds: number;
  print: (line: string) => void;
}

function tell({ seed, tallies, proof, problems, seconds, print }: Told): void {
  print(`\nseed ${seed}, ${seconds.toFixed(0)} s`);
  for (const [key, { kills, committed, jobsLost, prepared }] of tallies) {
    print(
      `coordinator killed ${kills} times (${key}): nodes had committed ${committed} batches, ${jobsLost} of their jobs were not at the coordinator, ${prepared} transactions prepared`,
    );
  }
  if (proof) {
    const { batches, singleChecks, items, answered, creditsCharged, creditsRefunded } = proof;
    print(`${batches} batches, all final; ${singleChecks} single checks answered; ${items} items`);
    print(`${creditsCharged} credits charged − ${creditsRefunded} refunded for ${answered} answers`);
    print(`${proof.webhooksOwed} webhooks owed, ${proof.webhooksReceived} received`);
  }
  print(problems.length === 0 ? 'nothing lost, nothing charged twice' : `${problems.length} problems`);
  for (const problem of problems) print(`✘ ${problem}`);
}
