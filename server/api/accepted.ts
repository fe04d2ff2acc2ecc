import type { Request, Response } from 'express';
import {
  type AcceptDeps,
  type AcceptedBatch,
  acceptBatches,
  type BatchRequest,
  prepareBatches,
  priceOf,
  requireCredits,
} from '../../batches/accept.ts';
import type { Authorization } from '../../db/accounts/rights.ts';
import type { BatchAccepted } from '../../schemas/batch.ts';
import { getCheckType } from '../../schemas/check-types.ts';
import type { Context } from '../context.ts';
import {
  type IdempotencyKey,
  type IdempotentResult,
  readIdempotencyKey,
  runOnce,
  sendIdempotentResult,
} from '../http/idempotency.ts';
import { getAuthorization } from '../http/permit.ts';
import type { Reply } from '../http/reply.ts';
import { unknownFieldWarnings } from '../http/warnings.ts';
import { getRequestDeps } from './request-deps.ts';

/**
 * Accepts a batch once per Idempotency-Key and sends a 202, with warnings about unknown fields. `read` returns the
 * batch, and is not called if a stored answer is sent.
 */
export async function answerAccepted(
  context: Context,
  req: Request,
  res: Response,
  read: () => Promise<BatchRequest[]>,
  warnings: string[] = [],
): Promise<void> {
  const toReply = ([accepted]: AcceptedBatch[]) => acceptedReply(context, accepted as AcceptedBatch);
  const deps = getRequestDeps(context, req);
  sendIdempotentResult(
    res,
    await acceptOnce(context, deps, getAuthorization(req), readIdempotencyKey(req), {
      read,
      toReply,
      warnings: [...warnings, ...unknownFieldWarnings(req)],
    }),
  );
}

interface AcceptWork {
  read: () => Promise<BatchRequest[]>;
  toReply: (accepted: AcceptedBatch[]) => Reply;
  warnings?: string[];
}

/**
 * Accepts batches for the API and the dashboard, once per key. Reads and prices the batches. Stores batches and answer
 * in one transaction. Throws the errors of `acceptBatches` and `runOnce`.
 */
export async function acceptOnce(
  context: Context,
  deps: AcceptDeps,
  authorization: Authorization,
  key: IdempotencyKey | null,
  { read, toReply, warnings }: AcceptWork,
): Promise<IdempotentResult<AcceptedBatch[]>> {
  const done = await runOnce(context, authorization, key, {
    prepare: async () => {
      const requests = await read();
      const isDivisible = requests.some(
        ({ inputs, retryOf, againOf }) => inputs.length > 1 && !retryOf && !againOf,
      );
      await requireCredits(deps, authorization.accountId, priceOf(requests), isDivisible);
      return prepareBatches(deps, requests);
    },
    run: (trx, prepared) => acceptBatches(trx, deps, prepared),
    toReply,
    warnings,
  });
  for (const { request, total } of done.result ?? []) {
    if (!request.isTest) context.metrics.accepted.inc({ type: request.type }, total);
  }
  return done;
}

function acceptedReply(
  { config }: Pick<Context, 'config'>,
  { request, batchId, total, credits }: AcceptedBatch,
): Reply {
  const { type, inputs, skipped, duplicates, reference, submissionId, retryOf, againOf, isTest } = request;
  const body: BatchAccepted = {
    success: true,
    message: toMessage(inputs.length, skipped.length),
    batch_id: batchId,
    total,
    status: inputs.length === 0 ? 'failed' : 'pending',
    poll_url: `${config.web.baseUrl}/api/v1/batch/${batchId}`,
    credits_remaining: credits,
    duplicates,
    reference,
    ...(submissionId ? { submission_id: submissionId } : {}),
    ...(retryOf ? { retry_of: retryOf } : {}),
    ...(againOf ? { again_of: againOf } : {}),
    ...(isTest ? { is_test: true } : {}),
    // Some clients expect the id in this field.
    ...(getCheckType(type).hasSnapshotId ? { snapshot_id: batchId } : {}),
  };
  return { status: 202, body };
}

function toMessage(queued: number, skipped: number): string {
  const checks = queued === 1 ? '1 check is queued' : `${queued.toLocaleString('en')} checks are queued`;
  if (skipped === 0) return `${checks}.`;
  const entries = skipped === 1 ? '1 entry was' : `${skipped} entries were`;
  return `${checks}. ${entries} invalid and not charged.`;
}
