import type { RequestHandler } from 'express';
import * as items from '../../db/batches/items.ts';
import * as singleChecks from '../../db/batches/single-checks.ts';
import { ApiError } from '../../process/api-error.ts';
import { parseId } from '../../schemas/id.ts';
import type { Context } from '../context.ts';
import { getCaller } from '../http/authenticate.ts';
import { notFound } from '../http/errors.ts';
import { unknownParameterWarnings } from '../http/warnings.ts';
import { readInclude } from './parameters.ts';
import { toBodies } from './results/stream.ts';

export function checkRoutes({ db, config }: Context) {
  const getCheck: RequestHandler = async (req, res) => {
    const { accountId, isTest } = getCaller(req);
    const include = readInclude(req);
    const requestId = parseId(req.params.request_id);
    const item = requestId && (await items.find(db, { accountId, requestId, isTest }, config.retention.days));
    if (item) {
      const [body] = await toBodies(db, { accountId, isTest }, [item], include);
      res.json({
        success: true,
        type: item.type,
        batch_id: item.batchId,
        ...body,
        ...unknownParameterWarnings(req),
      });
      return;
    }
    if (requestId && (await singleChecks.isInFlight(db, { accountId, requestId, isTest }))) {
      throw new ApiError('still_running', 'This check is still running. Try again in 2 seconds.', {
        retryAfterSeconds: 2,
      });
    }
    throw notFound('No finished check with this id in your account.');
  };

  return { getCheck };
}
