import type { RequestHandler } from 'express';
import * as history from '../../db/batches/history.ts';
import { historyTypes } from '../../schemas/check-types.ts';
import { historyBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { getCaller } from '../http/authenticate.ts';
import { checkCursor } from '../http/cursors.ts';
import { readDateTime, readText } from './date-times.ts';
import { readEnum, sendPage } from './lists.ts';

export function historyRoutes({ db, config }: Context) {
  const list: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    const isIndexed = readEnum(req, 'is_indexed', ['true', 'false']);
    const filter = {
      type: readEnum(req, 'type', historyTypes) ?? ('index' as const),
      days: config.retention.historyDays,
      url: readText(req, 'url'),
      isIndexed: isIndexed === undefined ? undefined : isIndexed === 'true',
      from: readDateTime(req, 'from'),
      to: readDateTime(req, 'to'),
    };
    await sendPage(config, req, res, {
      cursor: checkCursor,
      count: (max) => history.count(db, accountId, filter, max),
      list: (window) => history.list(db, accountId, { ...filter, ...window }),
      toBody: historyBody,
    });
  };

  return { list };
}
