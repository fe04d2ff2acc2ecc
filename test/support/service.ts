import type { PgBoss } from 'pg-boss';
import type { SMTPServerOptions } from 'smtp-server';
import { type Config, type Environment, readConfig } from '../../config/config.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { verify } from '../../db/ledger/proofs.ts';
import { type Connection, connect } from '../../db/postgres/connect.ts';
import { countWork } from '../../db/queue/windows.ts';
import type { Log } from '../../process/log.ts';
import type { Running } from '../../process/process.ts';
import { createSecretBox } from '../../process/secret-box.ts';
import { type RunningWeb, startWeb } from '../../server/main.ts';
import { startWorker } from '../../worker/main.ts';
import { openAccount, type TestAccount } from './accounts.ts';
import { createTestBoss } from './boss.ts';
import { observe } from './contract.ts';
import { eventually } from './eventually.ts';
import { silentLog } from './log.ts';
import { backendEnv, borrowDatabase } from './postgres.ts';
import type { MailServer } from './smtp.ts';
import { asItIs } from './web.ts';

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
  /** Mails go to a server that keeps them: `mails` of the service. */
  mails?: boolean | SMTPServerOptions;
  pooler?(url: string): Promise<string>;
}

/** Web, and a worker when asked for, on a database of their own. */
export class TestService {
  readonly config: Config;
  readonly env: Environment;
  readonly connection: Connection;
  readonly #log: Log;
  readonly #giveBack: () => Promise<void>;
  readonly #mails: MailServer | null;
  #web: RunningWeb | null = null;
  #workers: Running[] = [];
  #boss: Promise<PgBoss> | null = null;
  #isStopped = false;

  private constructor(
    env: Environment,
    way: string,
    log: Log,
    { giveBack, mails }: { giveBack: () => Promise<void>; mails: MailServer | null },
  ) {
    this.env = env;
    this.config = readConfig(env);
    this.connection = connect(way, 4, () => {});
    this.#log = log;
    this.#giveBack = giveBack;
    this.#mails = mails;
  }

  /** `pooler` answers the way to a database past which only DATABASE_DIRECT_URL leads. */
  static async start(
    env: Environment = {},
    { worker = false, log = silentLog, mails: mailing = false, pooler }: StartOptions = {},
  ): Promise<TestService> {
    const { url, giveBack } = await borrowDatabase();
    const pooled = await pooler?.(url);
    const options = mailing === true ? {} : mailing;
    const mails = options ? await (await import('./smtp.ts')).serveMails(options) : null;
    const service = new TestService(
      {
        DATABASE_URL: pooled ?? url,
        DATABASE_DIRECT_URL: url,
        ...backendEnv,
        SECRET_KEY: secretKey,
        PORT: '0',
        SERP_PROVIDERS: 'sandbox',
        TARGET_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
        RATE_LIMIT_PER_MINUTE: '0',
        ...(mails ? { SMTP_URL: mails.url } : {}),
        ...env,
      },
      pooled ?? url,
      log,
      { giveBack, mails },
    );
    service.#web = await startWeb(service.config, log);
    if (worker) await service.addWorker();
    return service;
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

  async addWorker(): Promise<Running> {
    const worker = await startWorker(this.config, this.#log);
    this.#workers.push(worker);
    return worker;
  }

  /** The queue as a process sees it that works on nothing; stopped with the service. */
  boss(): Promise<PgBoss> {
    const { directUrl, backend } = this.config.database;
    this.#boss ??= createTestBoss({ url: directUrl, backend, max: 1, role: 'web' }).start();
    return this.#boss;
  }

  async account(credits = 10_000): Promise<TestAccount> {
    return openAccount(this.db, credits, createSecretBox(secretKey));
  }

  /**
   * Calls the API under /api/v1, or a path that begins elsewhere when it starts with two slashes. Every
   * answer is held to the OpenAPI document.
   */
  async call(path: string, { token, method, headers, body, raw }: CallOptions = {}): Promise<Answer> {
    const url = path.startsWith('//') ? `${this.baseUrl}${path.slice(1)}` : `${this.baseUrl}/api/v1${path}`;
    const hasBody = body !== undefined || raw !== undefined;
    const verb = method ?? (hasBody ? 'POST' : 'GET');
    const response = await fetch(url, {
      method: verb,
      headers: {
        ...asItIs,
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

  /**
   * Waits until a batch has ended and answers it with its results. Looks at the row meanwhile: 2,000 results would be
   * sent, parsed and held to the document at each look.
   */
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

  /** Polls a batch until something is true of it. */
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

  /** Waits until no job is left that still has something to do. */
  async quiet(timeoutMs?: number): Promise<void> {
    await eventually(async () => ((await this.openJobs()).length === 0 ? true : null), timeoutMs);
  }

  async credits(accountId: number): Promise<number> {
    return ledger.balance(this.db, accountId);
  }

  /** What every flow must leave: books that add up, and no job that still has something to do. */
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
    await this.connection.close();
    await this.#mails?.close();
    await this.#giveBack();
  }
}
