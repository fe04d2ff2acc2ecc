import { randomUUID } from 'node:crypto';
import * as batches from '../../db/batches.ts';
import * as chunks from '../../db/chunks.ts';
import { inTransaction, type Trx } from '../../db/connect.ts';
import * as deliveries from '../../db/deliveries.ts';
import * as items from '../../db/items.ts';
import * as ledger from '../../db/ledger.ts';
import { chunkQueues, enqueueChunks } from '../../db/queue.ts';
import * as turns from '../../db/turns.ts';
import type { BatchAccepted, BatchType } from '../../schemas/batch.ts';
import type { Context } from '../context.ts';
import type { KeyClaim } from '../http/idempotency.ts';
import type { Reply } from '../http/reply.ts';

/** One entry of a batch. Inputs of one `unit`, such as equal searches, travel in one chunk. */
export interface BatchInput {
  position: number;
  input: Record<string, unknown>;
  unit?: string;
}

export interface BatchRequest {
  accountId: number;
  type: BatchType;
  inputs: BatchInput[];
  /** Entries that keep their place as failed and are not charged. */
  skipped: BatchInput[];
  duplicates: number;
  options: Record<string, unknown>;
  reference: string | null;
  webhookUrl: string | null;
  retryOf?: string;
}

/**
 * Accepts a batch in one transaction: the key, the batch and its chunks, the charge, the turn, the jobs and the kept
 * answer commit together or not at all. `before` runs first in it, for a retry that must lock the batch it repeats.
 * The charge comes late: charged first, an account with many posters waits on its own row (DESIGN.md section 6).
 */
export async function acceptBatch(
  context: Context,
  request: BatchRequest,
  key: KeyClaim,
  before: (trx: Trx, batchId: string) => Promise<void> = async () => {},
): Promise<Reply> {
  const { accountId, inputs } = request;
  const batchId = randomUUID();
  const total = inputs.length + request.skipped.length;
  await context.allow(accountId, 'skippedEntries', request.skipped.length);
  const firstId = await context.requestIds.take(total);
  const newChunks = chunksOf(request, batchId, firstId);

  const reply = await context.acceptance(() =>
    inTransaction(context.db, async (trx) => {
      await key.claim(trx);
      await before(trx, batchId);
      const available = await ledger.balance(trx, accountId);
      if (available < inputs.length) throw new ledger.InsufficientCreditsError(inputs.length, available);
      await batches.create(trx, { ...rowOf(request), batchId, total });
      await chunks.create(trx, newChunks);
      await recordSkipped(trx, request, batchId, firstId);
      const credits =
        inputs.length > 0 ? await ledger.charge(trx, accountId, inputs.length, { batchId }) : available;
      await enqueue(context, trx, request, batchId, newChunks);
      const accepted = { status: 202, body: acceptedBody(context, request, { batchId, total, credits }) };
      await key.keep(trx, { batchId, reply: accepted });
      return accepted;
    }),
  );
  context.metrics.accepted.inc({ type: request.type }, total);
  context.failPoint('before_answer');
  return reply;
}

function chunksOf(
  { accountId, type, inputs }: BatchRequest,
  batchId: string,
  firstId: number,
): chunks.NewChunk[] {
  return chunks
    .deal(type, inputs, ({ unit }) => unit)
    .map((slice, ordinal) => {
      const numbered = slice.map(({ position, input }) => ({
        request_id: firstId + position,
        position,
        input,
      }));
      const chunkId = numbered[0]?.request_id ?? 0;
      return { accountId, batchId, chunkId, type, ordinal, inputs: numbered, jobId: randomUUID() };
    });
}

function rowOf(request: BatchRequest): Omit<batches.NewBatch, 'batchId' | 'total'> {
  const { accountId, type, skipped, duplicates, options, reference, webhookUrl, retryOf = null } = request;
  return { accountId, type, skipped: skipped.length, duplicates, options, reference, webhookUrl, retryOf };
}

async function recordSkipped(
  trx: Trx,
  request: BatchRequest,
  batchId: string,
  firstId: number,
): Promise<void> {
  const { accountId, type, skipped } = request;
  const refused = skipped.map(({ position, input }) => {
    const requestId = firstId + position;
    return { requestId, chunkId: requestId, position, input, result: { error: 'invalid_url' as const } };
  });
  await items.insert(trx, { accountId, batchId, type }, refused);
}

async function enqueue(
  { boss }: Context,
  trx: Trx,
  { accountId, type, webhookUrl }: BatchRequest,
  batchId: string,
  newChunks: chunks.NewChunk[],
): Promise<void> {
  // A batch of nothing but skipped entries has ended with its acceptance.
  if (newChunks.length === 0) {
    if (webhookUrl) await deliveries.owe(trx, boss, { accountId, batchId, url: webhookUrl });
    return;
  }
  const first = await turns.take(trx, accountId, chunkQueues[type], newChunks.length);
  await batches.setFirstTurn(trx, { accountId, batchId }, first);
  const jobs = newChunks.map(({ jobId, chunkId, ordinal }) => ({
    jobId,
    accountId,
    batchId,
    chunkId,
    turn: first + ordinal,
  }));
  await enqueueChunks(boss, trx, type, jobs);
}

function acceptedBody(
  { config }: Context,
  { type, inputs, skipped, duplicates, reference, retryOf }: BatchRequest,
  { batchId, total, credits }: { batchId: string; total: number; credits: number },
): BatchAccepted {
  const count = inputs.length.toLocaleString('en');
  const queued = inputs.length === 1 ? '1 check is queued' : `${count} checks are queued`;
  return {
    success: true,
    message:
      skipped.length > 0
        ? `${queued}; ${skipped.length === 1 ? '1 entry was' : `${skipped.length} entries were`} not valid and not charged.`
        : `${queued}.`,
    batch_id: batchId,
    total,
    status: inputs.length === 0 ? 'failed' : 'pending',
    poll_url: `${config.web.baseUrl}/api/v1/batch/${batchId}`,
    credits_remaining: credits,
    duplicates,
    reference,
    ...(retryOf ? { retry_of: retryOf } : {}),
    // Clients of both documented shapes find what they poll by.
    ...(type === 'keyword' ? { snapshot_id: batchId } : {}),
  };
}
