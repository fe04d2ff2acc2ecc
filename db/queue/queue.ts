import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Db as BossDb, fromKysely, PgBoss, type Queue } from 'pg-boss';
import { deadlines } from '../../config/deadlines.ts';
import { OperatorError } from '../../process/operator-error.ts';
import { type CheckType, checkTypeEntry, checkTypeNames } from '../../schemas/check-types.ts';
import { connectionOptions, type Db, type Trx } from '../postgres/connect.ts';

/** The queue of a type's chunks. */
export function queueOf(type: CheckType): string {
  return checkTypeEntry(type).queue;
}

/**
 * Made at migrate, so a new type has its queue before the first process that knows it; old workers never look
 * at it.
 */
export const chunkQueues = checkTypeNames.map(queueOf);
export const deliveryQueue = 'deliveries';
export const mailQueue = 'mails';
/** Of runs of monitors: a sitemap to read, or a run whose batches have ended. */
export const runQueue = 'monitor-runs';

/** Ids only: the job names its chunk, and the chunk's row has the rest. Snake case, as it is stored. */
export interface ChunkPayload {
  account_id: number;
  batch_id: string;
  chunk_id: number;
}

export interface DeliveryPayload {
  account_id: number;
  event_id: string;
}

export interface MailPayload {
  /** 0 where it is nobody's account's. */
  account_id: number;
  mail_id: string;
}

export interface RunPayload {
  account_id: number;
  run_id: string;
}

export interface BossOptions {
  url: string;
  /** Which kind of Postgres it is, in pg-boss's words. */
  backend: 'postgres' | 'citus' | 'cockroachdb' | 'yugabytedb';
  /** Connections of its own pool; `listenForJobs` takes one more. */
  max: number;
  /** Workers supervise; web processes only enqueue; the release command alone changes the schema. */
  role: 'worker' | 'web' | 'migrate';
  /** What its statements go through, instead of a pool of its own. */
  db?: BossDb;
}

// pg-boss hands on to pg what it does not know. Without a time-out a connection that was lost in silence
// would hold the worker that asked over it for ever.
const forPg = { keepAlive: true, query_timeout: deadlines.silenceMs };

/** pg-boss for one process; not yet started. */
export function createBoss({ url, backend, max, role, db }: BossOptions): PgBoss {
  const isWorker = role === 'worker';
  const { connectionString, ssl } = connectionOptions(url).options;
  return new PgBoss({
    connectionString,
    ssl,
    backend,
    max,
    ...(db ? { db } : {}),
    ...(role === 'migrate' ? {} : forPg),
    application_name: `sonde-queue-${role}`,
    migrate: role === 'migrate',
    createSchema: role === 'migrate',
    supervise: isWorker,
    schedule: false,
    // With these a killed worker's chunk runs again after about 13 s (measured): heartbeats are 10 s apart.
    superviseIntervalSeconds: deadlines.superviseMs / 1000,
    monitorIntervalSeconds: deadlines.superviseMs / 1000,
    maintenanceIntervalSeconds: 300,
    queueCacheIntervalSeconds: 30,
  });
}

/** Starts pg-boss where it leaves the schema alone. Errors: `OperatorError` when the schema is missing or old. */
export async function startBoss(boss: PgBoss): Promise<void> {
  try {
    await boss.start();
  } catch (error) {
    // pg-boss has no class or code for these.
    if (!/is not installed|requires migrations/.test(String(error))) throw error;
    throw new OperatorError('The database is not set up for this version. Run npm run migrate first.');
  }
}

/** Where pg-boss says that a queue has new jobs. It does not export the name of the channel. */
export const channelOfJobs = sql<string>`'pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24)`;

/**
 * Calls back when a queue has a new job, with null when a notification may have been missed. Returns how to stop. Some
 * connections, such as those of a pooler, bring no notifications, so callers must also look for jobs now and then.
 */
export async function listenForJobs(
  db: Db,
  boss: PgBoss,
  ring: (queue: string | null) => void,
): Promise<() => Promise<void>> {
  const { rows } = await sql<{ channel: string }>`select ${channelOfJobs} as channel`.execute(db);
  const heard = await boss.getDb().listen?.(rows[0]?.channel ?? '', ring, () => ring(null));
  return async () => heard?.close();
}

const secondsPerYear = 365 * 24 * 3600;

// Retries follow a crash or an error that a job threw; a worker that stops in good order hands its rest to a successor
// job. A job waits as long as it must (retention), and its row goes soon after it is done.
const queueDefaults: Omit<Queue, 'name'> = {
  partition: true,
  notify: true,
  retryLimit: 20,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 10,
  expireInSeconds: deadlines.jobMs / 1000,
  heartbeatSeconds: deadlines.heartbeatMs / 1000,
  retentionSeconds: secondsPerYear,
  deleteAfterSeconds: 3600,
};

/** Makes the queues, or brings the settings of existing ones up to date. */
export async function ensureQueues(boss: PgBoss): Promise<void> {
  const wanted = [...chunkQueues, deliveryQueue, mailQueue, runQueue].map((name) => ({
    name,
    ...queueDefaults,
  }));
  for (const { name, partition, ...settings } of wanted) {
    if (await boss.getQueue(name)) await boss.updateQueue(name, settings);
    else await boss.createQueue(name, { partition, ...settings });
  }
}

/** A job for what is left of a chunk. */
export interface ChunkJob {
  /** Stands in the chunk's row too: a job that finds another there has lost its place. */
  jobId: string;
  accountId: number;
  batchId: string;
  chunkId: number;
  /** At once where it is missing or 0. */
  startAfterSeconds?: number;
}

/** Enqueues on the caller's transaction: jobs and the rows about them appear together or not at all. */
export async function enqueueChunks(
  boss: PgBoss,
  trx: Trx,
  type: CheckType,
  jobs: ChunkJob[],
): Promise<void> {
  const inserts = jobs.map(({ jobId, accountId, batchId, chunkId, startAfterSeconds }) => ({
    id: jobId,
    data: { account_id: accountId, batch_id: batchId, chunk_id: chunkId } satisfies ChunkPayload,
    group: { id: String(accountId) },
    ...(startAfterSeconds ? { startAfter: startAfterSeconds } : {}),
  }));
  await boss.insert(queueOf(type), inserts, { db: fromKysely(trx) });
}

/** Enqueues a look at a run, which goes on with whatever it has come to. */
export async function enqueueRun(
  boss: PgBoss,
  trx: Trx,
  { accountId, runId }: { accountId: number; runId: string },
): Promise<void> {
  const job = {
    data: { account_id: accountId, run_id: runId } satisfies RunPayload,
    group: { id: String(accountId) },
  };
  await boss.insert(runQueue, [job], { db: fromKysely(trx) });
}

/** A job for one attempt at a delivery. */
export interface DeliveryJob {
  accountId: number;
  eventId: string;
  /** No more than a few deliveries of the account are in flight to its host. */
  url: string;
  /** When the attempt is due, from now; at once where it is missing or 0. */
  inSeconds?: number;
}

/** Enqueues an attempt at a delivery, at once or after a delay, and answers the job's id. */
export async function enqueueDelivery(
  boss: PgBoss,
  trx: Trx,
  { accountId, eventId, url, inSeconds = 0 }: DeliveryJob,
): Promise<string> {
  const id = randomUUID();
  const job = {
    id,
    data: { account_id: accountId, event_id: eventId } satisfies DeliveryPayload,
    // An account's repeated attempts at a thousand dead receivers do not delay the first attempts of others.
    priority: inSeconds > 0 ? -1 : 0,
    group: { id: `${accountId} ${URL.parse(url.trim())?.host ?? url}` },
    ...(inSeconds > 0 ? { startAfter: inSeconds } : {}),
  };
  await boss.insert(deliveryQueue, [job], { db: fromKysely(trx) });
  return id;
}

/** Enqueues a try at a mail, at once or after a delay, and answers the job's id. */
export async function enqueueMail(
  boss: PgBoss,
  trx: Trx,
  { mailId, accountId, inSeconds }: { mailId: string; accountId: number; inSeconds: number },
): Promise<string> {
  const id = randomUUID();
  const job = {
    id,
    data: { account_id: accountId, mail_id: mailId } satisfies MailPayload,
    group: { id: String(accountId) },
    ...(inSeconds > 0 ? { startAfter: inSeconds } : {}),
  };
  await boss.insert(mailQueue, [job], { db: fromKysely(trx) });
  return id;
}

/** Takes jobs of deliveries that nobody wants any more off the queue, on the caller's transaction. */
export async function dropDeliveries(boss: PgBoss, trx: Trx, jobIds: string[]): Promise<void> {
  if (jobIds.length > 0) await boss.deleteJob(deliveryQueue, jobIds, { db: fromKysely(trx) });
}

/** How many jobs of a queue are in a state. */
export interface JobCount {
  queue: string;
  state: string;
  jobs: number;
}

/** How many jobs of each queue are in each state; queues without jobs are left out. */
export async function countJobs(db: Db): Promise<JobCount[]> {
  const { rows } = await sql<JobCount>`
    select name as queue, state::text as state, count(*) as jobs from pgboss.job
    group by name, state order by name, state`.execute(db);
  return rows;
}

/** States of a job that will run or is running. */
export const liveJobStates = sql`('created', 'retry', 'active')`;
