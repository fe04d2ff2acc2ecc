import type { Request, RequestHandler } from 'express';
import * as history from '../../db/history.ts';
import { historyTypes } from '../../schemas/check-types.ts';
import { historyBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';
import { checkCursor } from '../http/cursors.ts';
import { validationError } from '../http/errors.ts';
import { readWord, sendPage } from './lists.ts';

export function historyRoutes({ db, config }: Context) {
  const list: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const isIndexed = readWord(req, 'is_indexed', ['true', 'false']);
    const filter = {
      type: readWord(req, 'type', historyTypes) ?? ('index' as const),
      url: readText(req, 'url'),
      isIndexed: isIndexed === undefined ? undefined : isIndexed === 'true',
      from: readMoment(req, 'from'),
      to: readMoment(req, 'to'),
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

function readText(req: Request, name: string): string | undefined {
  const value = req.query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && !value.includes('\0')) return value;
  throw validationError({ [name]: ['Must be given once.'] });
}

/** A moment or a day in ISO 8601; without a zone it is UTC, and a day begins at midnight. */
function readMoment(req: Request, name: string): Date | undefined {
  const value = readText(req, name);
  if (value === undefined) return undefined;
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+ -]\d\d:?\d\d)?)?$/.test(value);
  // A plus in a query arrives as a space unless it was escaped.
  const moment = new Date(withZone(value.replace(' ', '+')));
  if (isIso && !Number.isNaN(moment.getTime())) return moment;
  throw validationError({
    [name]: ['Must be a date or a time such as 2026-11-20 or 2026-11-20T09:41:05+00:00.'],
  });
}

function withZone(moment: string): string {
  return /T[\d:.]+$/.test(moment) ? `${moment}Z` : moment;
}
