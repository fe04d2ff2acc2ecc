import { setTimeout as sleep } from 'node:timers/promises';
import * as accounts from '../../db/accounts/accounts.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as ledger from '../../db/ledger/ledger.ts';
import { type Db, inTransaction } from '../../db/postgres/connect.ts';
import { createSecretBox } from '../../process/secret-box.ts';
import { secretKey } from '../support/service.ts';
import { type Client, NoAnswerError, type Reply } from './client.ts';
import type { Submitted } from './customer.ts';

const credits = 2_000;
const batchSize = 200;
/** What may be said to one who asks for too much; everything else is a fault. */
const decent = new Set([200, 201, 202, 402, 409, 410, 422, 429]);

/**
 * An account that makes the service work and pays for none of it, as fast as it is let, while everything fails around
 * it: it cancels what it submits, retries what it canceled, has webhooks tested, sends lists that do not fit, and does
 * what has no price and leaves rows.
 */
export class Abuser {
  readonly batches: Submitted[] = [];
  readonly singles: number[] = [];
  readonly complaints: string[] = [];
  /** How often it was told that its allowance is used up. */
  refused = 0;
  readonly accountId: number;
  readonly #token: string;
  readonly #client: Client;
  readonly #deadPort: number;
  #asked = 0;

  private constructor(accountId: number, token: string, client: Client, deadPort: number) {
    this.accountId = accountId;
    this.#token = token;
    this.#client = client;
    this.#deadPort = deadPort;
  }

  static async create(db: Db, client: Client, deadPort: number): Promise<Abuser> {
    const { accountId } = await accounts.create(db, createSecretBox(secretKey));
    await inTransaction(db, (trx) => ledger.grant(trx, accountId, credits, 'chaos'));
    return new Abuser(accountId, await tokens.issue(db, accountId, 'abuse'), client, deadPort);
  }

  /** `restMs`: between two rounds of all it does. */
  async live(stopping: AbortSignal, restMs: number): Promise<void> {
    try {
      while (!stopping.aborted) {
        const site = `http://127.0.0.1:${this.#deadPort}`;
        const urls = Array.from(
          { length: batchSize },
          (_, item) => `${site}/refused/abuse-${this.#asked}-${item}`,
        );
        const first = await this.#accepted('/http-status/bulk', { urls });
        if (first) await this.#cancelAndRetry(first);
        await this.#leaveRows(urls.slice(0, 20), first);
        await this.#post('/webhooks/test', { webhook_url: site });
        await this.#post('/http-status/bulk', { urls: Array(2000).fill('no address') });
        await sleep(restMs);
      }
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      this.complaints.push(error.message);
    }
  }

  async #cancelAndRetry(batchId: string): Promise<void> {
    const canceled = await this.#post(`/batch/${batchId}/cancel`, {});
    // All may have been answered meanwhile: where the cancel had to wait for the database, or was refused.
    if (canceled.status !== 200 || canceled.body.failed === 0) return;
    const again = await this.#accepted(`/batch/${batchId}/retry`, {});
    if (again) await this.#post(`/batch/${again}/cancel`, {});
  }

  async #leaveRows(urls: string[], batchId: string | null): Promise<void> {
    if (batchId) await this.#post(`/batch/${batchId}/rename`, { name: `abuse ${this.#asked}` });
    await this.#post('/tokens', { name: 'abuse', scope: 'read' });
    await this.#post('/webhooks/secret/rotate', {});
    const asked = { name: 'abuse', type: 'http', urls, schedule: { every: 'month' }, confirm_losses: false };
    const { body, status } = await this.#post('/monitors', asked);
    if (status !== 201) return;
    const path = `/monitors/${body.monitor.monitor_id}`;
    // Its due time is nobody's in this run.
    await this.#post(`${path}/pause`, {});
    await this.#post(`${path}/annotations`, { text: 'abuse' });
    const { body: begun } = await this.#post(`${path}/run`, {});
    for (const id of begun.run?.batch_ids ?? []) this.#note(id, begun.run.subjects);
  }

  /** The batch that a request has made; null when it was refused. */
  async #accepted(path: string, body: object): Promise<string | null> {
    const { status, body: answer } = await this.#post(path, body);
    if (status !== 202) return null;
    const batchId = String(answer.batch_id);
    this.#note(batchId, answer.total);
    return batchId;
  }

  #note(batchId: string, total: number): void {
    this.batches.push({ name: `abuse ${batchId}`, batchId, total, receiver: null });
  }

  async #post(path: string, body: object): Promise<Reply> {
    this.#asked += 1;
    const reply = await this.#client.demand(this.#token, path, body, `abuse-${this.#asked}`);
    if (reply.status === 429) this.refused += 1;
    if (!decent.has(reply.status)) {
      this.complaints.push(`POST ${path} was answered ${reply.status} ${JSON.stringify(reply.body)}`);
    }
    return reply;
  }
}
