import type { RequestHandler } from 'express';
import { checkRank, questionOf } from '../../checks/search/rank-check.ts';
import type { ItemRow } from '../../db/items.ts';
import { KeywordRequest } from '../../schemas/keyword.ts';
import { timestamp } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';
import { answerOnce, type KeyClaim } from '../http/idempotency.ts';
import type { Reply } from '../http/reply.ts';
import { validatorFor } from '../http/validate.ts';
import { unknownFields } from '../http/warnings.ts';
import { acceptBatch } from './accept-batch.ts';
import { inputsOf, readQueries } from './queries.ts';
import { searchError } from './search-errors.ts';
import { runSingleCheck } from './single-check.ts';
import { refuseBadTarget } from './targets.ts';

const readRequest = validatorFor(KeywordRequest, { list: 'queries', areEntriesJudgedLater: true });

export function keywordRoutes(context: Context) {
  const track: RequestHandler = async (req, res) => {
    const body = readRequest(req.body);
    const { webhook_url: webhookUrl = null, reference = null, dedupe = false } = body;
    if (webhookUrl) refuseBadTarget('webhook_url', webhookUrl, context.policy);
    const isSingle = body.queries.length === 1;
    // One query is answered at once, so there is no place for it to keep.
    const onInvalid = isSingle ? 'reject' : (body.on_invalid ?? 'reject');
    const { valid, skipped, duplicates } = readQueries(body.queries, {
      search: context.search,
      dedupe,
      onInvalid,
    });
    const { accountId } = callerOf(req);
    const [only] = valid;
    const act = async (key: KeyClaim) => {
      if (only && isSingle) {
        return runSingleCheck(context, {
          accountId,
          type: 'keyword',
          input: { ...only.query },
          key,
          check: (asking) => checkRank(questionOf(only.query), context.search, asking),
          toBody,
          toError: searchError,
        });
      }
      const inputs = inputsOf(valid);
      const request = { accountId, type: 'keyword' as const, inputs, skipped, duplicates, options: {} };
      return acceptBatch(context, { ...request, reference, webhookUrl }, key);
    };
    await answerOnce(context, req, res, act, [...unusedFields(body), ...unknownFields(KeywordRequest, body)]);
  };
  return { track };
}

/** What belongs to a batch, which one query does not make. */
function unusedFields(body: KeywordRequest): string[] {
  if (body.queries.length > 1) return [];
  return (['webhook_url', 'reference'] as const)
    .filter((field) => body[field] !== undefined)
    .map((field) => `${field} is not used: one query is answered at once.`);
}

function toBody(item: ItemRow, creditsRemaining: number): Reply['body'] {
  const { keyword, target_url, ...asked } = item.input;
  const { rank, ranked_url, ...found } = item.outcome ?? {};
  return {
    success: true,
    keyword,
    target_url,
    rank,
    ranked_url,
    credits_remaining: creditsRemaining,
    request_id: item.requestId,
    checked_at: timestamp(item.checkedAt),
    ...found,
    ...asked,
  };
}
