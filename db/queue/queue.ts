import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Db as BossDb, fromKysely, PgBoss, type Queue } from 'pg-boss';
import { deadlines } from '../../config/deadlines.ts';
import { OperatorError } from '../../process/operator-error.ts';
import { type CheckType, checkTypeNames, getCheckType } from '../../schemas/check-types.ts';
import { connectionOptions, type Db, type Trx } from '../postgres/connect.ts';

export function queueOf(type: CheckType): string {
  return getCheckType(type).queue;
}

/** The migration creates these queues. So the queue of a new type exists before a process uses it. */
export const chunkQueues = checkTypeNames.map(queueOf);
export const deliveryQueue = 'deliveries';
export const mailQueue = 'mails';
/** Jobs for monitor runs: read a sitemap, or resume a run whose batches have ended. */
export const runQueue = 'monitor-runs';

/** The payload has ids only. All other data is in the row of the chunk. */
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
  /** 0 without an account. */
  account_id: number;
  mail_id: string;
}

export interface RunPayload {
  account_id: number;
  run_id: string;
}

export interface BossOptions {
  url: string;
  /** Kind of Postgres, in pg-boss's words. */
  backend: 'postgres' | 'citus' | 'cockroachdb' | 'yugabytedb';
  /** Pool size; `listenForJobs` uses one more connection. */
  max: number;
  /** A worker supervises jobs. A web process enqueues jobs. `migrate` changes the schema. */
  role: 'worker' | 'web' | 'migrate';
  /** If set, pg-boss uses this to execute statements, and creates no pool. */
  db?: BossDb;
}

// pg-boss passes unknown options to pg. Without a time-out, a worker would wait forever on a broken connection.
const pgOptions = { keepAlive: true, query_timeout: deadlines.silenceMs };

/** Creates pg-boss for a process. Does not start pg-boss. */
export function createBoss({ url, backend, max, role, db }: BossOptions): PgBoss {
  const isWorker = role === 'worker';
  const { connectionString, ssl } = connectionOptions(url).options;
  return new PgBoss({
    connectionString,
    ssl,
    backend,
    max,
    ...(db ? { db } : {}),
    ...(role === 'migrate' ? {} : pgOptions),
    application_name: `sonde-queue-${role}`,
    migrate: role === 'migrate',
    createSchema: role === 'migrate',
    supervise: isWorker,
    schedule: false,
    // With this interval, the chunk of a killed worker runs again after about 13 s (measured). Heartbeats are 5 s
    // apart.
    superviseIntervalSeconds: deadlines.superviseMs / 1000,
    monitorIntervalSeconds: deadlines.superviseMs / 1000,
    maintenanceIntervalSeconds: 300,
    queueCacheIntervalSeconds: 30,
  });
}

/** Starts pg-boss in a process that does not migrate. Throws OperatorError if the schema is missing or old. */
export async function startBoss(boss: PgBoss): Promise<void> {
  try {
    await boss.start();
  } catch (error) {
    // pg-boss has no class or code for these errors.
    if (!/is not installed|requires migrations/.test(String(error))) throw error;
    throw new OperatorError('The database is not set up for this version. Run npm run migrate first.');
  }
}

/** Notification channel of pg-boss for new jobs. pg-boss does not export the name of the channel. */
export const jobChannel = sql<string>`'pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24)`;

/**
 * Calls `onJob` with the name of a queue that has a new job. Calls `onJob` with null if a notification may have been
 * missed. Returns a function that stops listening. Callers must also poll, because some connections deliver no
 * notifications, such as connections to a pooler.
 */
export async function listenForJobs(
  db: Db,
  boss: PgBoss,
  onJob: (queue: string | null) => void,
): Promise<() => Promise<void>> {
  const { rows } = await sql<{ channel: string }>`select ${jobChannel} as channel`.execute(db);
  const listener = await boss.getDb().listen?.(rows[0]?.channel ?? '', onJob, () => onJob(null));
  return async () => listener?.close();
}

const secondsPerYear = 365 * 24 * 3600;

// A job is retried after a crash or an error. A worker that stops hands the remaining inputs of a chunk to a successor
// job. A job can wait for a year. Its row is deleted an hour after the job has ended.
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

/** Creates the queues, or updates the settings of existing queues. */
export async function ensureQueues(boss: PgBoss): Promise<void> {
  const queues = [...chunkQueues, deliveryQueue, mailQueue, runQueue].map((name) => ({
    name,
    ...queueDefaults,
  }));
  for (const { name, partition, ...settings } of queues) {
    if (await boss.getQueue(name)) await boss.updateQueue(name, settings);
    else await boss.createQueue(name, { partition, ...settings });
  }
}

/** A job for the remaining inputs of a chunk. */
export interface ChunkJob {
  /** The row of the chunk also has this id. A job that finds another id in the row does nothing. */
  jobId: string;
  accountId: number;
  batchId: string;
  chunkId: number;
  /** 0 or missing to start now. */
  startAfterSeconds?: number;
}

/** Enqueues jobs in the caller's transaction, so that jobs and chunk rows commit together. */
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

interface DeliveryJob {
  accountId: number;
  eventId: string;
  /** Concurrent deliveries are limited per account and host of the URL. */
  url: string;
  /** Delay; 0 or missing to start now. */
  inSeconds?: number;
  /**
   * Set if the account's previous delivery has ended. The attempt then runs before the attempts of accounts with a
   * backlog.
   */
  isFirst?: boolean;
}

/** Enqueues an attempt of a delivery. Returns the job's id. */
export async function enqueueDelivery(
  boss: PgBoss,
  trx: Trx,
  { accountId, eventId, url, inSeconds = 0, isFirst = false }: DeliveryJob,
): Promise<string> {
  const id = randomUUID();
  const job = {
    id,
    data: { account_id: accountId, event_id: eventId } satisfies DeliveryPayload,
    // Retries to an account's unreachable receivers must not delay the first attempts of other accounts.
    priority: inSeconds > 0 ? -1 : Number(isFirst),
    group: { id: `${accountId} ${URL.parse(url.trim())?.host ?? url}` },
    ...(inSeconds > 0 ? { startAfter: inSeconds } : {}),
  };
  await boss.insert(deliveryQueue, [job], { db: fromKysely(trx) });
  return id;
}

/** Enqueues an attempt to send a mail. Returns the job's id. */
export async function enqueueMailJob(
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

export async function deleteDeliveryJobs(boss: PgBoss, trx: Trx, jobIds: string[]): Promise<void> {
  if (jobIds.length > 0) await boss.deleteJob(deliveryQueue, jobIds, { db: fromKysely(trx) });
}

export interface JobCount {
  queue: string;
  state: string;
  jobs: number;
}

/** Counts jobs by queue and state. Queues without jobs are missing. */
export async function countJobs(db: Db): Promise<JobCount[]> {
  const { rows } = await sql<JobCount>`
    select name as queue, state::text as state, count(*) as jobs from pgboss.job
    group by name, state order by name, state`.execute(db);
  return rows;
}

/** States of jobs that will run or are running. */
export const liveJobStates = sql`('created', 'retry', 'active')`;
