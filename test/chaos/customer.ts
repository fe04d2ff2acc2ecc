import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import * as accounts from '../../db/accounts/accounts.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { type Db, inTransaction } from '../../db/postgres/connect.ts';
import { createSecretBox } from '../../process/secret-box.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import type { Random } from '../support/random.ts';
import { secretKey } from '../support/service.ts';
import { type Client, NoAnswerError, type Reply } from './client.ts';
import type { Scale } from './plan.ts';
import { chunkSizes, type Question, questionFor, rankQuestionFor } from './questions.ts';
import type { ReceiverMind, World } from './world.ts';

/** A batch, as recorded by its customer. */
export interface Submitted {
  name: string;
  batchId: string;
  total: number;
  receiver: ReceiverMind | null;
}

interface Surroundings {
  db: Db;
  client: Client;
  world: World;
  scale: Scale;
  random: Random;
  /** Numbers for batches, unique over all customers. */
  nextBatch: () => number | null;
}

const paths: Record<CheckType, string> = {
  http: '/http-status',
  index: '/check',
  keyword: '/keyword-track',
};
const credits = 1_000_000;

/** Submits batches and single checks for an account until it is stopped, and records every answer. */
export class Customer {
  readonly accountId: number;
  readonly batches: Submitted[] = [];
  /** Ids of the answered single checks. */
  readonly singles: number[] = [];
  /** Broken promises of the service. */
  readonly complaints: string[] = [];
  readonly token: string;
  readonly #about: Surroundings;
  #singlesAsked = 0;

  private constructor(accountId: number, token: string, about: Surroundings) {
    this.accountId = accountId;
    this.token = token;
    this.#about = about;
  }

  static async create(about: Surroundings): Promise<Customer> {
    const { accountId } = await accounts.create(about.db, createSecretBox(secretKey));
    await inTransaction(about.db, (trx) => ledger.grant(trx, accountId, credits, 'chaos'));
    const token = await tokens.issue(about.db, accountId, 'chaos', { creditsPerMonth: credits });
    return new Customer(accountId, token, about);
  }

  /** Resolves when every request was answered or accepted. */
  async live(stopping: AbortSignal): Promise<void> {
    const lives = [
      this.#submitBatches(stopping),
      this.#monitorRanks(stopping),
      ...this.#lanes().map(() => this.#askSingly(stopping)),
    ];
    for (const { reason } of (await Promise.allSettled(lives)).filter(isRejected)) {
      if (!(reason instanceof NoAnswerError)) throw reason;
      this.complaints.push(reason.message);
    }
  }

  noteSingle(reply: Reply, path: string): void {
    this.#expect(reply, 200, path);
    this.singles.push(reply.body.request_id);
  }

  /** Submits one batch, by default of a random type. */
  async submit(
    number: number,
    wish: { type?: CheckType; receiver?: ReceiverMind | null } = {},
  ): Promise<Submitted> {
    const { random, scale, world, client } = this.#about;
    const name = `b${number}`;
    const type = wish.type ?? random.pick(scale.types);
    const total = random.integer(...scale.batchSize);
    const questions = Array.from({ length: total }, (_, item) =>
      this.#question(type, `${name}-c${Math.floor(item / chunkSizes[type])}-i${item}`),
    );
    const receiver = wish.receiver === undefined ? this.#receiver() : wish.receiver;
    const body = {
      ...(type === 'keyword' ? { queries: questions } : { urls: questions.map(({ url }) => url) }),
      ...(receiver ? { webhook_url: world.webhookUrl(name, receiver) } : {}),
    };
    const path = type === 'keyword' ? paths.keyword : `${paths[type]}/bulk`;
    const reply = await client.post(this.token, path, body, name);
    this.#expect(reply, 202, path);
    const batch = { name, batchId: String(reply.body.batch_id), total, receiver };
    this.batches.push(batch);
    return batch;
  }

  async #submitBatches(stopping: AbortSignal): Promise<void> {
    const { scale, random } = this.#about;
    while (!stopping.aborted) {
      const number =
        (await this.#countOpen('batches')) < scale.openBatchesMax ? this.#about.nextBatch() : null;
      if (number === null) {
        await sleep(200);
        continue;
      }
      const batch = await this.submit(number);
      if (!random.chance(cancelShare)) continue;
      await sleep(random.integer(100, 2000));
      await this.#cancelAndRetry(batch);
    }
  }

  /** Cancels a batch and retries its refunded items, if any. */
  async #cancelAndRetry({ name, batchId, receiver }: Submitted): Promise<void> {
    const { client, world } = this.#about;
    world.witness.forgetBatch(name);
    const canceled = await client.post(this.token, `/batch/${batchId}/cancel`, {}, `${name}-cancel`);
    this.#expect(canceled, 200, `/batch/${batchId}/cancel`);
    // A retry would call the same receiver, which is identified by the name of the batch.
    if (receiver || !(canceled.body.failed > 0)) return;
    const retried = await client.post(this.token, `/batch/${batchId}/retry`, {}, `${name}-retry`);
    this.#expect(retried, 202, `/batch/${batchId}/retry`);
    const { batch_id: retryId, total } = retried.body;
    this.batches.push({ name: `${name}-retry`, batchId: String(retryId), total, receiver: null });
  }

  /** Runs a monitor again and again. */
  async #monitorRanks(stopping: AbortSignal): Promise<void> {
    const { random, client, scale } = this.#about;
    const name = `monitor-${this.accountId}`;
    const total = Math.ceil(scale.batchSize[1] / 2);
    const queries = Array.from({ length: total }, (_, nth) => rankQuestionFor(`${name}-${nth}`, random));
    // A due run would start beside those that are requested here.
    const twoWeeksAhead = new Date(Date.now() + 14 * 86_400_000).getUTCDate();
    const schedule = { every: 'month', on: [twoWeeksAhead] };
    const body = { name, type: 'keyword', schedule, confirm_losses: false, queries };
    const created = await client.post(this.token, '/monitors', body, name);
    this.#expect(created, 201, '/monitors');
    const path = `/monitors/${created.body.monitor.monitor_id}/run`;
    for (let nth = 0; !stopping.aborted; nth += 1) {
      const { status, body } = await client.post(this.token, path, {}, `${name}-run${nth}`);
      this.#expect({ status, body }, 202, path);
      for (const batchId of body.run.batch_ids)
        this.batches.push({ name: `${name}-run${nth}`, batchId, total, receiver: null });
      do await sleep(random.integer(500, 2000));
      while (!stopping.aborted && (await this.#countOpen('monitor_runs')) > 0);
    }
  }

  async #askSingly(stopping: AbortSignal): Promise<void> {
    const { random, client, scale } = this.#about;
    while (!stopping.aborted) {
      const type = random.pick(scale.types);
      const name = `single-${this.accountId}-${this.#singlesAsked}`;
      this.#singlesAsked += 1;
      const question = this.#question(type, name);
      const body = type === 'keyword' ? { queries: [question] } : question;
      this.noteSingle(await client.post(this.token, paths[type], body, name), paths[type]);
      await sleep(random.integer(50, 500));
    }
  }

  #lanes(): unknown[] {
    return Array.from({ length: this.#about.scale.singleLanes });
  }

  async #countOpen(table: 'batches' | 'monitor_runs'): Promise<number> {
    const end = sql.ref(table === 'batches' ? 'completed_at' : 'finished_at');
    try {
      const { rows } = await sql`
        select from ${sql.table(table)} where account_id = ${this.accountId} and ${end} is null`.execute(
        this.#about.db,
      );
      return rows.length;
    } catch {
      // The database is down: try again later.
      return Number.POSITIVE_INFINITY;
    }
  }

  #question(type: CheckType, name: string): Question {
    const { random, world } = this.#about;
    return questionFor(type, name, { random, sitePort: world.sitePort, deadPort: world.deadPort });
  }

  #receiver(): ReceiverMind | null {
    const { random } = this.#about;
    return random.pick([null, 'willing', 'willing', 'willing', 'willing', 'hesitant', 'unwilling'] as const);
  }

  #expect({ status, body }: Reply, expected: number, path: string): void {
    if (status === expected) return;
    this.complaints.push(`POST ${path} was answered ${status} ${JSON.stringify(body)}`);
  }
}

const cancelShare = 0.05;

function isRejected(result: PromiseSettledResult<unknown>): result is PromiseRejectedResult {
  return result.status === 'rejected';
}
