import { rotateWebhookSecret } from '../db/accounts/accounts.ts';
import * as activity from '../db/accounts/activity.ts';
import type { Act } from '../db/postgres/act.ts';
import type { SecretBox } from '../process/secret-box.ts';
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
