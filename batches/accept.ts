import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { type Allowance, type UnpaidWork, weigh } from '../accounts/allowance.ts';
import { keptRows } from '../accounts/unpaid.ts';
import * as batches from '../db/batches/batches.ts';
import * as chunks from '../db/batches/chunks.ts';
import * as items from '../db/batches/items.ts';
import type { RequestIds } from '../db/batches/request-ids.ts';
import * as ledger from '../db/ledger/ledger.ts';
import * as spending from '../db/ledger/token-spending.ts';
import type { Act } from '../db/postgres/act.ts';
import type { Db, Trx } from '../db/postgres/connect.ts';
import { sideBySide } from '../db/postgres/prompt-transaction.ts';
import { queueOf } from '../db/queue/queue.ts';
import * as turns from '../db/queue/turns.ts';
import type { AskedOf, CheckType, InputOf, OptionsOf } from '../schemas/check-types.ts';
import { owe } from '../webhooks/owe.ts';
import { deal } from './deal.ts';
import * as window from './window.ts';

/** One entry of a batch, at its place in the list. */
export interface BatchEntry<I = InputOf> {
  position: number;
  input: I;
}

/** An entry that does not fit, and why, as a sentence for its caller. */
export interface SkippedEntry<A = AskedOf> extends BatchEntry<A> {
  problem: string;
}

export interface BatchRequest {
  accountId: number;
  type: CheckType;
  inputs: BatchEntry[];
  /** Entries that keep their place as failed and are not charged. */
  skipped: SkippedEntry[];
  /** Entries equal to an earlier one; those that `dedupe` left out are in neither list. */
  duplicates: number;
  /** Options of all its checks, such as whether redirects are followed. */
  options: OptionsOf;
  /** The caller's own word for it; null when none was given. */
  reference: string | null;
  /** Where its end is to be told, as it was sent; null for nowhere. */
  webhookUrl: string | null;
  /** Submission that this batch is a part of; null or missing for a batch of its own. */
  submissionId?: string | null;
  /** The batch whose failed items these are. */
  retryOf?: string;
  /** The batch whose inputs are checked again. */
  againOf?: string;
  /** Name given by a person. */
  name?: string | null;
  /** Asked for by a test token: for nothing, its answers invented. Missing for a live one. */
  isTest?: boolean;
  /** The run of a monitor that it is of; missing for one that was submitted. */
  run?: { monitorId: string; runId: string };
}

export interface Accepted {
  request: BatchRequest;
  batchId: string;
  total: number;
  /** The balance after the charge. */
  credits: number;
  /** The entry of the ledger that charged it; null when it cost nothing. */
  entryNo: number | null;
}

/** Dependencies of accepting a batch. */
export interface Desk {
  boss: PgBoss;
  requestIds: RequestIds;
  allowance: Allowance;
  /** The token that what is charged counts against, where it has a monthly limit. */
  spender?: spending.Spender | null;
}

/**
 * The act of accepting a batch, and the parts of it: what is written, and with the last of that whatever else is asked
 * for; the charge and its place in the fair order, told where its queue is; the jobs, once all that is accepted with it
 * has that, and after them what is owed. What a part asks of Postgres side by side is asked in the order of locks, and
 * travels at once where the transaction lets it.
 */
export interface Acceptance extends Act<Accepted> {
  /** That of its type: `pay` is told how far it has come. */
  queue: string;
  write<T>(trx: Trx, withLast: () => Promise<T>): Promise<T>;
  pay(trx: Trx, serving: number): Promise<Accepted>;
  enqueue(trx: Trx): Promise<void>;
}

/**
 * Accepts a batch: the batch and its chunks, the charge, the turn and the jobs commit together or not at all.
 * `first` runs first in it, for a retry that must lock the batch it repeats. The charge comes late: charged
 * first, an account with many posters waits on its own row. Throws InsufficientCreditsError and TokenLimitError.
 */
export function accept(
  { boss, requestIds, allowance, spender = null }: Desk,
  request: BatchRequest,
  first: (trx: Trx, batchId: string) => Promise<void> = async () => {},
): Acceptance {
  const { accountId, inputs, skipped } = request;
  const price = priceOf(request);
  const queue = queueOf(request.type);
  const batchId = randomUUID();
  const total = inputs.length + skipped.length;
  let firstId = 0;
  let newChunks: chunks.NewChunk[] = [];
  let standing: Promise<[credits: number, level: number, serving: number]> | null = null;
  /** Balance of the account and its queue position; read once, because an act is performed once. */
  const beside = (trx: Trx) => {
    standing ??= sideBySide([
      ledger.balance(trx, accountId),
      allowance.level(accountId, trx),
      turns.nowServing(trx, queue),
    ]);
    return standing;
  };
  const unpaid = unpaidAtOnce(request);
  const write = async <T>(trx: Trx, withLast: () => Promise<T>) => {
    newChunks = chunksOf(request, batchId, firstId);
    const tokenId = spender?.tokenId ?? null;
    const row = { ...rowOf(request), tokenId, batchId, firstRequestId: firstId, total };
    const created = batches.create(trx, row);
    // What they leave in other tables comes before the account's row is locked, too.
    if (skipped.length > 0) await sideBySide([created, recordSkipped(trx, request, batchId, firstId)]);
    const [, asked] = await sideBySide([created, chunks.create(trx, newChunks, withLast)]);
    return asked;
  };
  const lineUp = async (trx: Trx, serving: number) => {
    const place = { accountId, queue, chunks: newChunks.length };
    if (place.chunks === 0) return;
    await sideBySide([
      turns.take(trx, place, serving),
      batches.setFirstTurn(trx, { accountId, batchId }, place),
    ]);
  };
  const pay = async (trx: Trx, serving: number) => {
    const charged =
      price > 0
        ? ledger.charge(trx, accountId, price, { batchId })
        : ledger.balance(trx, accountId).then((credits) => ({ balanceAfter: credits, entryNo: null }));
    const [{ balanceAfter, entryNo }] = await sideBySide([charged, lineUp(trx, serving)]);
    return { request, batchId, total, credits: balanceAfter, entryNo };
  };
  const enqueue = async (trx: Trx) => {
    if (newChunks.length > 0) return window.open(trx, boss, request);
    // A batch of nothing but skipped entries has ended with its acceptance.
    if (request.webhookUrl) await owe(trx, boss, { accountId, eventId: batchId, url: request.webhookUrl });
  };
  return {
    before: async () => {
      await allowance.take(accountId, unpaid);
      firstId = await requestIds.take(total);
    },
    perform: async (trx) => {
      await first(trx, batchId);
      const [available, level, serving] = await beside(trx);
      // Where something was taken there was room.
      if (weigh(unpaid) === 0) await allowance.admit(accountId, { level, trx });
      refuseUnlessCovered(available, price);
      await spending.requireLeft(trx, spender, price);
      const [accepted] = await write(trx, () => sideBySide([pay(trx, serving), enqueue(trx)]));
      await spending.spend(trx, spender, price);
      return accepted;
    },
    beside,
    queue,
    write,
    pay,
    enqueue,
  };
}

/** How many credits a batch costs: one for each input, and none for a test. */
export function priceOf({ inputs, isTest = false }: Pick<BatchRequest, 'inputs' | 'isTest'>): number {
  return isTest ? 0 : inputs.length;
}

/** Throws InsufficientCreditsError, before anything is written, when the balance is less. */
export async function requireCredits(db: Db | Trx, accountId: number, needed: number): Promise<void> {
  refuseUnlessCovered(await ledger.balance(db, accountId), needed);
}

function refuseUnlessCovered(available: number, needed: number): void {
  if (available < needed) throw new ledger.InsufficientCreditsError(needed, available);
}

/**
 * What is kept of entries that do not fit; and with nothing else there, the batch and its receiver's call. Of a test
 * all that is kept, and its call as one of a webhook test, for no answer pays for any of it.
 */
function unpaidAtOnce({ inputs, skipped, options, webhookUrl, isTest }: BatchRequest): UnpaidWork {
  const rows = keptRows(skipped.map(({ input, problem }) => ({ ...input, problem })));
  if (isTest) {
    const all = rows + keptRows([options, ...inputs.map(({ input }) => input)]);
    return { keptRows: all, webhookTests: webhookUrl ? 1 : 0 };
  }
  if (inputs.length > 0) return { keptRows: rows };
  return { keptRows: rows + keptRows([options]), deliveries: webhookUrl ? 1 : 0 };
}

function chunksOf(
  { accountId, type, inputs, isTest = false }: BatchRequest,
  batchId: string,
  firstId: number,
): chunks.NewChunk[] {
  return deal(type, inputs).map((slice, ordinal) => {
    const numbered = slice.map(({ position, input }) => ({
      request_id: firstId + position,
      position,
      input,
    }));
    const chunkId = numbered[0]?.request_id ?? 0;
    return { accountId, batchId, chunkId, type, ordinal, inputs: numbered, isTest };
  });
}

function rowOf(
  request: BatchRequest,
): Omit<batches.NewBatch, 'batchId' | 'firstRequestId' | 'total' | 'tokenId'> {
  const { accountId, type, skipped, duplicates, options, reference, webhookUrl } = request;
  const { retryOf = null, submissionId = null, againOf = null, name = null, isTest = false, run } = request;
  return {
    accountId,
    type,
    skipped: skipped.length,
    duplicates,
    options,
    reference,
    webhookUrl,
    retryOf,
    submissionId,
    againOf,
    name,
    isTest,
    monitorId: run?.monitorId ?? null,
    runId: run?.runId ?? null,
  };
}

async function recordSkipped(
  trx: Trx,
  { accountId, type, skipped, isTest = false }: BatchRequest,
  batchId: string,
  firstId: number,
): Promise<void> {
  const refused = skipped.map(({ position, input, problem }) => {
    const requestId = firstId + position;
    const result = { error: 'invalid_url' as const, problem };
    return { requestId, chunkId: requestId, position, input, result };
  });
  await items.insert(trx, { accountId, batchId, type, isTest }, refused);
}
