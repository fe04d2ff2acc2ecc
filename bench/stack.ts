import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Config, type Environment, readConfig } from '../config/config.ts';
import { migrate } from '../db/migrate.ts';
import { type Connection, connect } from '../db/postgres/connect.ts';
import { startEmbedded } from '../local/embedded.ts';
import packageJson from '../package.json' with { type: 'json' };
import { createLog } from '../process/log.ts';
import { createSecretBox } from '../process/secret-box.ts';
import { startCluster } from '../test/citus/cluster.ts';
import { openAccount } from '../test/support/accounts.ts';
import type { TestProcess } from '../test/support/processes.ts';
import { startInOwnSession, stopOnInterrupt } from './processes.ts';

export interface Customer {
  accountId: number;
  token: string;
}

/** The real processes of the Procfile, on their own Postgres. */
export interface Stack {
  config: Config;
  connection: Connection;
  baseUrl: string;
  webPid: number;
  createCustomer(credits: number): Promise<Customer>;
  startWorker(env?: Environment): Promise<TestProcess>;
  post(
    customer: Customer,
    path: string,
    body: object,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  get(customer: Customer, path: string): Promise<Record<string, unknown>>;
  /** Waits until a batch has ended and returns the milliseconds. */
  waitUntilEnded(customer: Customer, batchId: string): Promise<number>;
  stop(): Promise<void>;
}

const waitMaxMs = 30 * 60_000;

/** Returns the entry point of an npm script, including flags for Node. */
function getEntry(script: 'web' | 'worker'): string[] {
  const [, , ...entry] = packageJson.scripts[script].split(' ');
  return entry;
}

/**
 * Starts Postgres, with fsync, and web; workers start on request. `settings` apply to all processes and override the
 * bench's own. If `citus` is the folder of a Postgres with Citus, starts a coordinator and two data nodes instead of
 * one Postgres.
 */
export async function startStack(settings: Environment = {}, citus?: string): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-bench-'));
  const postgres =
    citus === undefined ? await startEmbedded(folder) : await startCluster(folder, { binaries: citus });
  const [url = ''] = 'urls' in postgres ? postgres.urls : [postgres.url];
  const env: Environment = {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: url,
    ...(citus === undefined ? {} : { DATABASE_BACKEND: 'citus' }),
    SECRET_KEY: randomBytes(32).toString('hex'),
    TARGET_ALLOW_CIDRS: '127.0.0.0/8',
    PORT: '0',
    SERP_PROVIDERS: 'sandbox',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
    ...settings,
  };
  const config = readConfig(env);
  await migrate(config.database, createLog({ level: 'error', format: 'json' }));
  const connection = connect(url, 10, () => {});
  const web = await startInOwnSession(getEntry('web'), env, /"port":(\d+)/);
  const baseUrl = `http://127.0.0.1:${web.said}`;
  const started = [web];

  const call = async (customer: Customer, path: string, body?: object) => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${customer.token}`, 'Content-Type': 'application/json' },
      body: body ? JSON.stringify(body) : undefined,
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  return {
    config,
    connection,
    baseUrl,
    webPid: web.pid,
    createCustomer: (credits) => openAccount(connection.db, credits, createSecretBox(config.secretKey)),
    startWorker: async (own = {}) => {
      const worker = await startInOwnSession(getEntry('worker'), { ...env, ...own }, /taking (jobs)/);
      started.push(worker);
      return worker;
    },
    post: (customer, path, body) => call(customer, path, body),
    get: async (customer, path) => (await call(customer, path)).body,
    waitUntilEnded: async ({ accountId }, batchId) => {
      const startedMs = performance.now();
      const batch = connection.db
        .selectFrom('batches')
        .select('completedAt')
        .where('accountId', '=', accountId)
        .where('batchId', '=', batchId);
      // Polls the row, because polling web would take a tenth of the measured capacity.
      for (let tookMs = 0; tookMs < waitMaxMs; tookMs = performance.now() - startedMs) {
        if ((await batch.executeTakeFirst())?.completedAt) return performance.now() - startedMs;
        await pause(Math.max(10, tookMs / 50));
      }
      throw new Error(`batch ${batchId} has not ended`);
    },
    stop: stopOnInterrupt(async () => {
      for (const process of started.toReversed()) await process.stop();
      await connection.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }),
  };
}
