import type { RequestHandler } from 'express';
import { checkTypes, type UrlCheckType } from '../../schemas/check-types.ts';
import { urlRequests } from '../../schemas/url-requests.ts';
import type { Context } from '../context.ts';
import { getCaller } from '../http/authenticate.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { createValidator } from '../http/validate.ts';
import { answerAccepted } from './accepted.ts';
import { createUrlBatchReader, readOptions } from './read-urls.ts';
import { answerSingle } from './single-check.ts';
import { readTarget } from './targets.ts';

export function urlCheckRoutes(context: Context, type: UrlCheckType) {
  const readSingle = createValidator(urlRequests[type].single);
  const readBulk = createUrlBatchReader(type);

  const single: RequestHandler = async (req, res) => {
    const faults = new FieldErrorCollector();
    const body = readSingle.collect(req.body, faults);
    const target = body.url === undefined ? null : readTarget('url', body.url, context.policy, faults);
    faults.throwIfAny();
    const input = { url: target?.asSent ?? '' };
    const options = readOptions(type, body);
    await answerSingle(context, req, res, { type, input, options, field: 'url' });
  };

  const bulk: RequestHandler = async (req, res) => {
    const { accountId, isTest } = getCaller(req);
    const request = { ...(await readBulk(context, accountId, req.body)), isTest };
    await answerAccepted(context, req, res, async () => [request]);
  };

  const { operationId } = checkTypes[type].document;
  return { [operationId]: single, [`${operationId}Bulk`]: bulk };
}
