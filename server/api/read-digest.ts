import type { DigestSchedule } from '../../db/notifications/digests.ts';
import { isTimeZone } from '../../monitors/wall-clock.ts';
import { DigestRequest } from '../../schemas/digest.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { createValidator } from '../http/validate.ts';
import { unknownTimeZone } from './read-schedule.ts';

const read = createValidator(DigestRequest);

/** Reads the digest schedule. Missing fields keep their value. Throws a 422 that lists up to 50 invalid fields. */
export function readDigest(body: unknown, known: DigestSchedule): DigestSchedule {
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
