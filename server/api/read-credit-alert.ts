import { CreditAlertRequest } from '../../schemas/credits.ts';
import type { Context } from '../context.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { createValidator } from '../http/validate.ts';
import { readTarget } from './targets.ts';

const read = createValidator(CreditAlertRequest);

/** Reads the changes to a credit alert. Throws a 422 that lists up to 50 invalid fields. */
export function readCreditAlert({ policy }: Pick<Context, 'policy'>, body: unknown) {
  const faults = new FieldErrorCollector();
  const { threshold, webhook_url: webhook } = read.collect(body, faults);
  const target = webhook ? readTarget('webhook_url', webhook, policy, faults) : null;
  faults.throwIfAny();
  return { threshold, url: webhook === undefined ? undefined : (target?.asSent ?? null) };
}
