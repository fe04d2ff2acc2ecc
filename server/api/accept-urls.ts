import type { Request, Response } from 'express';
import type { IndexBulkRequest } from '../../schemas/batch.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';
import { answerOnce } from '../http/idempotency.ts';
import { acceptBatch, type BatchRequest } from './accept-batch.ts';
import { readTargets, refuseBadTarget } from './targets.ts';

export interface UrlList {
  type: Exclude<CheckType, 'keyword'>;
  body: IndexBulkRequest;
  options: Record<string, unknown>;
}

/** Accepts a list of addresses as a batch; both bulk endpoints take the same list. */
export async function acceptUrls(
  context: Context,
  req: Request,
  res: Response,
  { warnings, ...list }: UrlList & { warnings: string[] },
): Promise<void> {
  const request = readUrlBatch(context, callerOf(req).accountId, list);
  await answerOnce(context, req, res, (key) => acceptBatch(context, request, key), warnings);
}

/** A list of addresses as the batch it makes, every entry judged. Throws a 422 that names those at fault. */
export function readUrlBatch(
  { policy }: Pick<Context, 'policy'>,
  accountId: number,
  { type, body, options }: UrlList,
): BatchRequest {
  const { dedupe = false, on_invalid: onInvalid = 'reject', webhook_url: webhookUrl = null } = body;
  if (webhookUrl) refuseBadTarget('webhook_url', webhookUrl, policy);
  const targets = readTargets(body.urls, { policy, dedupe, onInvalid });
  const toInput = ({ position, url }: { position: number; url: string }) => ({ position, input: { url } });
  return {
    accountId,
    type,
    inputs: targets.valid.map(toInput),
    skipped: targets.skipped.map(toInput),
    duplicates: targets.duplicates,
    options,
    reference: body.reference ?? null,
    webhookUrl,
  };
}
