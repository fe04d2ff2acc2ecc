import { rotateWebhookSecret } from '../db/accounts/accounts.ts';
import * as activity from '../db/accounts/activity.ts';
import type { Trx } from '../db/postgres/connect.ts';
import type { SecretBox } from '../process/secret-box.ts';

/** Creates a new webhook secret. The previous secret stays valid for a day. */
export async function rotateSecret(
  trx: Trx,
  secretBox: SecretBox,
  { accountId, by }: { accountId: number; by: activity.Actor },
): Promise<void> {
  await rotateWebhookSecret(trx, secretBox, accountId);
  await activity.record(trx, { accountId, what: 'secret_rotated', by });
}
