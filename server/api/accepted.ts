import type { Request, Response } from 'express';
import type { Accepted } from '../../batches/accept.ts';
import type { Authorization } from '../../db/accounts/rights.ts';
import type { Act } from '../../db/postgres/act.ts';
import type { BatchAccepted } from '../../schemas/batch.ts';
import { checkTypeEntry } from '../../schemas/check-types.ts';
import type { Context } from '../context.ts';
import { type Key, keyOf } from '../http/idempotency.ts';
import { type Done, doOnce, sendDone } from '../http/once.ts';
import { authorizationOf } from '../http/permit.ts';
import type { Reply } from '../http/reply.ts';

/** Answers 202 for an act that accepts a batch, once per key. */
export async function answerAccepted(
  context: Context,
  req: Request,
  res: Response,
  act: Act<Accepted>,
  warnings: string[] = [],
): Promise<void> {
  sendDone(res, await acceptOnce(context, authorizationOf(req), keyOf(req), act, warnings));
}

/** Accepts a batch, once per key, through whichever door; without a key it just does. */
export async function acceptOnce(
  context: Context,
  authorization: Authorization,
  key: Key | null,
  act: Act<Accepted>,
  warnings: string[] = [],
): Promise<Done<Accepted>> {
  const toReply = (accepted: Accepted) => acceptedReply(context, accepted);
  const done = await doOnce(context, authorization, key, act, toReply, warnings);
  // What is invented is no use of the service.
  if (done.result && !done.result.request.isTest)
    context.metrics.accepted.inc({ type: done.result.request.type }, done.result.total);
  return done;
}

/** The 202 of every bulk endpoint. */
function acceptedReply(
  { config }: Pick<Context, 'config'>,
  { request, batchId, total, credits }: Accepted,
): Reply {
  const { type, inputs, skipped, duplicates, reference, submissionId, retryOf, againOf, isTest } = request;
  const body: BatchAccepted = {
    success: true,
    message: messageOf(inputs.length, skipped.length),
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
    // Clients of both documented shapes find what they poll by.
    ...(checkTypeEntry(type).hasSnapshotId ? { snapshot_id: batchId } : {}),
  };
  return { status: 202, body };
}

function messageOf(queued: number, skipped: number): string {
  const checks = queued === 1 ? '1 check is queued' : `${queued.toLocaleString('en')} checks are queued`;
  if (skipped === 0) return `${checks}.`;
  const entries = skipped === 1 ? '1 entry was' : `${skipped} entries were`;
  return `${checks}; ${entries} not valid and not charged.`;
}
