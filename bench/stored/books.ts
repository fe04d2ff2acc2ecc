import { line } from './copy.ts';
import type { Past } from './past.ts';

export const entryColumns = [
  ...['account_id', 'entry_no', 'kind', 'amount', 'balance_after', 'batch_id', 'request_id', 'created_at'],
];

/** What an account was given at first: enough for all that comes. */
const grant = 100_000_000;

/** Where the ledger of an account has come to. */
interface Standing {
  entries: number;
  credits: number;
}

/** The ledgers that a past has written, by account; `lines` gives them all, each going on from the one before. */
export class Books {
  readonly standing = new Map<number, Standing>();
  readonly #past: Past;
  readonly #accountIds: number[];

  constructor(past: Past, accountIds: number[]) {
    this.#past = past;
    this.#accountIds = accountIds;
  }

  *lines(): Generator<string> {
    const { batches, checks } = this.#past;
    const first = new Date(Math.min(...[...batches, ...checks.slice(0, 1)].slice(0, 1).map(({ at }) => +at)));
    for (const accountId of this.#accountIds) yield this.#entry(accountId, 'grant', grant, null, null, first);
    // In the order of their ids, which is that of time.
    let next = 0;
    for (const { accountId, batchId, total, failed, firstId, at } of batches) {
      for (let check = checks[next]; check && check.requestId < firstId; check = checks[++next])
        yield this.#entry(check.accountId, 'charge', -1, null, check.requestId, check.at);
      yield this.#entry(accountId, 'charge', -total, batchId, null, at);
      if (failed > 0) yield this.#entry(accountId, 'refund', failed, batchId, null, at);
    }
    for (const check of checks.slice(next))
      yield this.#entry(check.accountId, 'charge', -1, null, check.requestId, check.at);
  }

  #entry(
    accountId: number,
    kind: string,
    amount: number,
    batchId: string | null,
    requestId: number | null,
    at: Date,
  ): string {
    const { entries, credits } = this.standing.get(accountId) ?? { entries: 0, credits: 0 };
    const now = { entries: entries + 1, credits: credits + amount };
    this.standing.set(accountId, now);
    return line(accountId, now.entries, kind, amount, now.credits, batchId, requestId, at.toISOString());
  }
}
