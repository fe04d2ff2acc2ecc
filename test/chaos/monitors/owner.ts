import * as accounts from '../../../db/accounts/accounts.ts';
import * as tokens from '../../../db/accounts/tokens.ts';
import * as ledger from '../../../db/ledger/ledger.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { createSecretBox } from '../../../process/secret-box.ts';
import type { Random } from '../../support/random.ts';
import { secretKey } from '../../support/service.ts';
import type { Client } from '../client.ts';
import type { ChaosDatabase } from '../database.ts';
import { hosts } from '../questions.ts';
import type { World } from '../world.ts';

const credits = 1_000_000;
export const subjectsEach = 3;
/** The minute of each hour at which all of them are due. */
export const dueMinute = 15;

/** A monitor as its owner remembers it, and the name that its receiver knows it by. */
export interface Watched {
  name: string;
  monitorId: string;
}

interface Surroundings {
  database: ChaosDatabase;
  client: Client;
  world: World;
  random: Random;
}

/** An account with monitors that are due every hour, which it also runs by hand now and then. */
export class Owner {
  readonly accountId: number;
  readonly monitors: Watched[] = [];
  /** Runs by hand that were promised: 202 was answered. */
  readonly promised: string[] = [];
  /** Runs by hand that were refused because one was at work. */
  refused = 0;
  readonly complaints: string[] = [];
  readonly #token: string;
  readonly #about: Surroundings;
  #asked = 0;

  private constructor(accountId: number, token: string, about: Surroundings) {
    this.accountId = accountId;
    this.#token = token;
    this.#about = about;
  }

  static async create(about: Surroundings): Promise<Owner> {
    const { db } = about.database;
    const { accountId } = await accounts.create(db, createSecretBox(secretKey));
    await inTransaction(db, (trx) => ledger.grant(trx, accountId, credits, 'chaos'));
    return new Owner(accountId, await tokens.issue(db, accountId, 'chaos'), about);
  }

  /** Makes one; every run of it is told, and it may have addresses that do not answer. */
  async watch(): Promise<void> {
    const { client, world, random } = this.#about;
    const name = `a${this.accountId}-m${this.monitors.length}`;
    const urls = Array.from(
      { length: subjectsEach },
      (_, nth) => `http://${random.pick(hosts)}:${world.sitePort}/${random.pick(kinds)}/${name}-${nth}`,
    );
    const { status, body } = await client.post(
      this.#token,
      '/monitors',
      {
        ...{ name, type: 'http', urls },
        schedule: { every: 'hour', at: `00:${dueMinute}` },
        notify: { when: 'always', webhook_url: world.webhookUrl(name, random.pick(['willing', 'hesitant'])) },
      },
      name,
    );
    if (status !== 201) throw new Error(`POST /monitors was answered ${status} ${JSON.stringify(body)}`);
    this.monitors.push({ name, monitorId: body.monitor.monitor_id });
  }

  /** Runs one by hand, however often that has to be repeated; whoever dies meanwhile, it is one run or none. */
  async runByHand(): Promise<void> {
    const { client, random } = this.#about;
    const { monitorId, name } = random.pick(this.monitors);
    const key = `${name}-by-hand-${this.#asked++}`;
    const { status, body } = await client.demand(this.#token, `/monitors/${monitorId}/run`, {}, key);
    if (status === 202) this.promised.push(body.run.run_id);
    else if (status === 409 && body.error === 'run_in_progress') this.refused += 1;
    else this.complaints.push(`a run by hand was answered ${status} ${JSON.stringify(body)}`);
  }
}

const kinds = ['ok', 'ok', 'ok', 'gone', 'moved', 'soft'] as const;
