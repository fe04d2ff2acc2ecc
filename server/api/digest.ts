import type { RequestHandler } from 'express';
import * as digests from '../../db/notifications/digests.ts';
import { changeDigest } from '../../monitors/digest.ts';
import { isTimeZone } from '../../monitors/wall-clock.ts';
import { DigestRequest } from '../../schemas/digest.ts';
import { digestBody } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { getActor, getCaller } from '../http/authenticate.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { answerOnce } from '../http/idempotency.ts';
import { createValidator } from '../http/validate.ts';
import { unknownTimeZone } from './read-monitor.ts';

export function digestRoutes(context: Context) {
  const { db } = context;

  const getDigest: RequestHandler = async (req, res) => {
    res.json({ success: true, ...digestBody(await digests.find(db, getCaller(req).accountId)) });
  };

  const setDigest: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    const changed = readDigest(req.body, await digests.find(db, accountId));
    await answerOnce(context, req, res, {
      run: (trx) => changeDigest(trx, context, { ...changed, accountId, by: getActor(req) }),
      toBody: digestBody,
    });
  };

  return { getDigest, changeDigest: setDigest };
}

const read = createValidator(DigestRequest);

/** Reads the digest schedule. Missing fields keep their value. Throws a 422 that lists up to 50 invalid fields. */
export function readDigest(body: unknown, known: digests.DigestSchedule): digests.DigestSchedule {
  const faults = new FieldErrorCollector();
  const { every, at, timezone } = read.collect(body, faults);
  const isDaily = every === 'day';
  const notUsed = ['Only used if `every` is `day`. Remove it, or set `every` to `day`.'];
  if (every === 'run' && at) faults.add({ at: notUsed });
  if (every === 'run' && timezone) faults.add({ timezone: notUsed });
  if (isDaily && timezone && !isTimeZone(timezone)) faults.add({ timezone: [unknownTimeZone] });
  faults.throwIfAny();
  if (!isDaily) return { at: null, timezone: null };
  return { at: at ?? known.at ?? '08:00', timezone: timezone ?? known.timezone ?? 'UTC' };
}
