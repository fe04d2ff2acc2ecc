import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { SMTPServerOptions } from 'smtp-server';
import { type Config, type Environment, readConfig } from '../../config/config.ts';
import { confirm } from '../../db/accounts/user-emails.ts';
import * as users from '../../db/accounts/users.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { verify } from '../../db/ledger/verification.ts';
import { type Connection, connect, inTransaction } from '../../db/postgres/connect.ts';
import { countWork } from '../../db/queue/job-windows.ts';
import type { Log } from '../../process/log.ts';
import type { Stoppable } from '../../process/process.ts';
import { createSecretBox } from '../../process/secret-box.ts';
import { startWeb, type WebProcess } from '../../server/main.ts';
import { startWorker } from '../../worker/main.ts';
import { openAccount, type TestAccount } from './accounts.ts';
import { createTestBoss } from './boss.ts';
import { observe } from './contract.ts';
import { eventually } from './eventually.ts';
import { silentLog } from './log.ts';
import { backendEnv, borrowDatabase } from './postgres.ts';
import type { MailServer } from './smtp.ts';
import { uncompressed } from './web.ts';

export const secretKey = 'a secret key for tests, long enough';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  text: string;
}

export interface CallOptions {
  token?: string | null;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent as it is instead of a JSON body. */
  raw?: string | Uint8Array;
}

interface StartOptions {
  worker?: boolean;
  log?: Log;
  /** Sends mails to a server that keeps them: `mails` of the service. */
  mails?: boolean | SMTPServerOptions;
  /** Returns the URL of a pooler in front of the database. DATABASE_DIRECT_URL goes past it. */
  pooler?(url: string): Promise<string>;
}

/** A web process on its own database. A worker can be added. */
export class TestService {
  config!: Config;
  env!: Environment;
  connection!: Connection;
  readonly #options: StartOptions;
  readonly #log: Log;
  #giveBack = async () => {};
  #mails: MailServer | null = null;
  #web: WebProcess | null = null;
  #workers: Stoppable[] = [];
  #boss: Promise<PgBoss> | null = null;
  #isStopped = false;

  constructor(options: StartOptions = {}) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
  }

  static async start(env: Environment = {}, options: StartOptions = {}): Promise<TestService> {
    const service = new TestService(options);
    await service.begin(env);
    return service;
  }

  async begin(env: Environment): Promise<void> {
    const { worker = false, mails: mailing = false, pooler } = this.#options;
    const { url, giveBack } = await borrowDatabase();
    this.#giveBack = giveBack;
    const reached = (await pooler?.(url)) ?? url;
    const options = mailing === true ? {} : mailing;
    this.#mails = options ? await (await import('./smtp.ts')).serveMails(options) : null;
    this.env = {
      DATABASE_URL: reached,
      DATABASE_DIRECT_URL: url,
      ...backendEnv,
      SECRET_KEY: secretKey,
      PORT: '0',
      SERP_PROVIDERS: 'sandbox',
      TARGET_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
      RATE_LIMIT_PER_MINUTE: '0',
      ...(this.#mails ? { SMTP_URL: this.#mails.url } : {}),
      ...env,
    };
    this.config = readConfig(this.env);
    this.connection = connect(reached, 4, () => {});
    this.#web = await startWeb(this.config, this.#log);
    if (worker) await this.addWorker();
  }

  get mails(): MailServer {
    if (!this.#mails) throw new Error('this service was started without `mails`');
    return this.#mails;
  }

  get db() {
    return this.connection.db;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#web?.port}`;
  }

  async addWorker(): Promise<Stoppable> {
    const worker = await startWorker(this.config, this.#log);
    this.#workers.push(worker);
    return worker;
  }

  /** A queue client that takes no jobs. It stops with the service. */
  boss(): Promise<PgBoss> {
    const { directUrl, backend } = this.config.database;
    this.#boss ??= createTestBoss({ url: directUrl, backend, max: 1, role: 'web' }).start();
    return this.#boss;
  }

  async account(credits = 10_000): Promise<TestAccount> {
    return openAccount(this.db, credits, createSecretBox(secretKey));
  }

  /** Calls a path under /api/v1, or `//path` from the root. Checks each answer against the OpenAPI document. */
  async call(path: string, { token, method, headers, body, raw }: CallOptions = {}): Promise<Answer> {
    const url = path.startsWith('//') ? `${this.baseUrl}${path.slice(1)}` : `${this.baseUrl}/api/v1${path}`;
    const hasBody = body !== undefined || raw !== undefined;
    const verb = method ?? (hasBody ? 'POST' : 'GET');
    const response = await fetch(url, {
      method: verb,
      headers: {
        ...uncompressed,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
      text,
    };
    observe(verb, new URL(url).pathname, answer);
    return answer;
  }

  /** Waits until a batch has ended and returns it with its results. Polls the row: the results may be long. */
  async ended(token: string, batchId: string, timeoutMs?: number): Promise<Answer['body']> {
    await eventually(async () => {
      const row = await this.db
        .selectFrom('batches')
        .select('completedAt')
        .where('batchId', '=', batchId)
        .executeTakeFirst();
      return row?.completedAt === null ? null : true;
    }, timeoutMs);
    return (await this.call(`/batch/${batchId}`, { token })).body;
  }

  /** Submits a batch, waits until it has ended, and returns its id. */
  async runBatch(token: string, path: string, body: object): Promise<string> {
    const { batch_id: batchId } = (await this.call(path, { token, body })).body;
    await this.ended(token, batchId);
    return batchId;
  }

  /** Polls a batch until the predicate is true. */
  async until(
    token: string,
    batchId: string,
    isTrue: (batch: Answer['body']) => boolean,
    timeoutMs?: number,
  ): Promise<Answer['body']> {
    return eventually(async () => {
      const { body } = await this.call(`/batch/${batchId}`, { token });
      return isTrue(body) ? body : null;
    }, timeoutMs);
  }

  /** Waits until every job has completed. */
  async quiet(timeoutMs?: number): Promise<void> {
    await eventually(async () => ((await this.openJobs()).length === 0 ? true : null), timeoutMs);
  }

  async credits(accountId: number): Promise<number> {
    return ledger.balance(this.db, accountId);
  }

  async allowanceUsed(token: string): Promise<number> {
    return (await this.call('/credits/allowance', { token })).body.used;
  }

  async setAllowanceUsed(accountId: number, units: number): Promise<void> {
    await sql`
      insert into allowances (account_id, weight, changed_at) values (${accountId}, ${units}, now())
      on conflict (account_id) do update set weight = excluded.weight, changed_at = excluded.changed_at`.execute(
      this.db,
    );
  }

  /** Opens an account with a user: by default one without a password, with an unconfirmed email address. */
  async person(
    email: string,
    { password = null, isConfirmed = false }: { password?: string | null; isConfirmed?: boolean } = {},
  ) {
    const account = await this.account(0);
    const passwordHash = password === null ? null : await users.hashPassword(password);
    const userId = await users.create(this.db, { accountId: account.accountId, email, passwordHash });
    if (isConfirmed) await inTransaction(this.db, (trx) => confirm(trx, userId));
    return { ...account, userId, email };
  }

  /** Creates a user with a confirmed email address. */
  async confirmedUser(accountId: number, email: string): Promise<number> {
    const userId = await users.create(this.db, { accountId, email, passwordHash: null });
    await inTransaction(this.db, (trx) => confirm(trx, userId));
    return userId;
  }

  /** Stops the processes from starting due monitors for a day, so that only the test does. */
  async pauseMonitors(): Promise<void> {
    await sql`insert into chores (chore, done_at) values ('monitors', now() + interval '1 day')
      on conflict (chore) do update set done_at = excluded.done_at`.execute(this.db);
  }

  /** Returns faults of the ledger and jobs that have not completed. Every flow must leave none. */
  async problems(): Promise<string[]> {
    const { ok, faults } = await verify(this.db);
    const jobs = await this.openJobs();
    return [...(ok ? [] : [JSON.stringify(faults)]), ...jobs.map((job) => JSON.stringify(job))];
  }

  async openJobs() {
    return (await countWork(this.db)).filter(({ state }) => state !== 'completed');
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await Promise.all([this.#web?.stop(), ...this.#workers.map((worker) => worker.stop())]);
    await (await this.#boss)?.stop({ graceful: false });
    await this.connection?.close();
    await this.#mails?.close();
    await this.#giveBack();
  }
}

/** Runs a service for a suite. Its fields are set when the suite's hooks have run, which call `env`. */
export function useService(
  env: Environment | (() => Environment | Promise<Environment>) = {},
  options: StartOptions = {},
): TestService {
  const service = new TestService(options);
  before(async () => service.begin(typeof env === 'function' ? await env() : env));
  after(() => service.stop());
  return service;
}

/**
 * Opens an account for a suite. Its fields are set when the suite's hooks have run. `isForEach`: a new account for each
 * test.
 */
export function useAccount(service: TestService, credits?: number, { isForEach = false } = {}): TestAccount {
  const account = {} as TestAccount;
  const begin = isForEach ? beforeEach : before;
  begin(async () => void Object.assign(account, await service.account(credits)));
  return account;
}
