import type { Request, Response } from 'express';
import type { BatchType, IndexBulkRequest } from '../schemas/batch.ts';
import { acceptBatch } from './accept-batch.ts';
import { callerOf } from './authenticate.ts';
import type { Context } from './context.ts';
import { answerOnce } from './idempotency.ts';
import { readTargets, refuseBadTarget } from './targets.ts';

interface UrlBatch {
  type: Exclude<BatchType, 'keyword'>;
  body: IndexBulkRequest;
  options: Record<string, unknown>;
  warnings: string[];
}

/** Accepts a list of addresses as a batch; both bulk endpoints take the same list. */
export async function acceptUrls(
  context: Context,
  req: Request,
  res: Response,
  { type, body, options, warnings }: UrlBatch,
): Promise<void> {
  const { dedupe = false, on_invalid: onInvalid = 'reject', webhook_url: webhookUrl = null } = body;
  if (webhookUrl) refuseBadTarget('webhook_url', webhookUrl, context.policy);
  const targets = readTargets(body.urls, { policy: context.policy, dedupe, onInvalid });
  const toInput = ({ position, url }: { position: number; url: string }) => ({ position, input: { url } });
  const request = {
    accountId: callerOf(req).accountId,
    type,
    inputs: targets.valid.map(toInput),
    skipped: targets.skipped.map(toInput),
    duplicates: targets.duplicates,
    options,
    reference: body.reference ?? null,
    webhookUrl,
  };
  await answerOnce(context, req, res, (key) => acceptBatch(context, request, key), warnings);
}
