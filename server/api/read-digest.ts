import type { Digest } from '../../db/notifications/digests.ts';
import { isZone } from '../../monitors/wall-clock.ts';
import { DigestRequest } from '../../schemas/digest.ts';
import { FieldFaults } from '../http/errors.ts';
import { validatorFor } from '../http/validate.ts';
import { noSuchZone } from './read-schedule.ts';

const read = validatorFor(DigestRequest);

/** When an account is to be told by mail; what is not given stays. Every fault in one 422. */
export function readDigest(body: unknown, known: Digest): Digest {
  const faults = new FieldFaults();
  const { every, at, timezone } = read.collect(body, faults);
  const isDaily = every === 'day';
  const notUsed = ['Is not used with run; leave it out, or choose day.'];
  if (every === 'run' && at) faults.add({ at: notUsed });
  if (every === 'run' && timezone) faults.add({ timezone: notUsed });
  if (isDaily && timezone && !isZone(timezone)) faults.add({ timezone: [noSuchZone] });
  faults.throwIfAny();
  if (!isDaily) return { at: null, timezone: null };
  return { at: at ?? known.at ?? '08:00', timezone: timezone ?? known.timezone ?? 'UTC' };
}
