import type { RequestHandler } from 'express';
import type { BatchEntry, BatchRequest } from '../../batches/accept.ts';
import { KeywordRequest, type RankQuery } from '../../schemas/keyword.ts';
import type { Context } from '../context.ts';
import { getCaller } from '../http/authenticate.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { createValidator } from '../http/validate.ts';
import { answerAccepted } from './accepted.ts';
import { fullPagesWarnings, readQueries } from './queries.ts';
import { readLabels } from './read-urls.ts';
import { getRequestDeps } from './request-deps.ts';
import { answerSingle } from './single-check.ts';

const readRequest = createValidator(KeywordRequest, { lists: ['queries'] });

export function rankCheckRoutes(context: Context) {
  const trackKeywords: RequestHandler = async (req, res) => {
    const { accountId, isTest } = getCaller(req);
    const request = { ...(await readRankBatch(getRequestDeps(context, req), accountId, req.body)), isTest };
    const warnings = [...unusedFields(request, req.body), ...fullPagesWarnings(req.body.queries)];
    const [only, ...others] = request.inputs;
    // A list with skipped queries is a batch, even if one query remains.
    if (only && others.length === 0 && isSingle(req.body)) {
      const { input } = only;
      await answerSingle(context, req, res, {
        type: 'keyword',
        input,
        options: {},
        field: 'queries.0.url',
        warnings,
      });
      return;
    }
    await answerAccepted(context, req, res, async () => [request], warnings);
  };
  return { trackKeywords };
}

type RankBatch = BatchRequest & { type: 'keyword'; inputs: BatchEntry<RankQuery>[] };

/** Reads a list of queries as a batch. Throws a 422 that lists up to 50 invalid fields. */
async function readRankBatch(
  { policy, search, config }: Pick<Context, 'policy' | 'search' | 'config'>,
  accountId: number,
  body: unknown,
): Promise<RankBatch> {
  const faults = new FieldErrorCollector();
  const fields = readRequest.collect(body, faults);
  const { queries = [], dedupe = false, on_invalid: given = 'reject' } = fields;
  const labels = readLabels(fields, policy, faults);
  // A single query is answered directly. If it is invalid, it cannot be skipped.
  const onInvalid = queries.length === 1 ? 'reject' : given;
  const { fullPagesMax } = config.providers;
  const read = await readQueries(queries, { search, fullPagesMax, dedupe, onInvalid }, faults);
  faults.throwIfAny();
  const { valid: inputs, skipped, duplicates } = read;
  return { accountId, type: 'keyword', inputs, skipped, duplicates, options: {}, ...labels };
}

function isSingle(body: KeywordRequest): boolean {
  return body.queries.length === 1;
}

/** Returns warnings about batch fields in a request with a single query. */
function unusedFields({ webhookUrl, reference, submissionId }: BatchRequest, body: KeywordRequest): string[] {
  if (!isSingle(body)) return [];
  const given = { webhook_url: webhookUrl, reference, submission_id: submissionId ?? null };
  return Object.entries(given)
    .filter(([, value]) => value !== null)
    .map(([field]) => `${field} is not used, because a single query is answered directly.`);
}
