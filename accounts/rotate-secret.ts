import { rotateWebhookSecret } from '../db/accounts.ts';
import type { Act } from '../db/act.ts';
import * as activity from '../db/activity.ts';
import type { SecretBox } from '../secret-box.ts';
import type { Allowance } from './allowance.ts';

/** Makes a new webhook secret; the one before holds for a day beside it. */
export function rotateSecret(
  { allowance, box }: { allowance: Allowance; box: SecretBox },
  { accountId, by }: { accountId: number; by: activity.Actor },
): Act<void> {
  return {
    before: () => allowance.take(accountId, { keptRows: 1 }),
    perform: async (trx) => {
      await rotateWebhookSecret(trx, box, accountId);
      await activity.note(trx, { accountId, what: 'secret_rotated', by });
    },
  };
}
