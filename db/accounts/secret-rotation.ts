import { sql } from 'kysely';
import type { SecretBox } from '../../process/secret-box.ts';
import type { Db } from '../postgres/connect.ts';

const canary = 'canary';

/**
 * Returns true if SECRET_KEY or SECRET_KEY_PREVIOUS decrypts the stored canary, a known text. Returns null if no canary
 * is stored.
 */
export async function canDecrypt(db: Db, secretBox: SecretBox): Promise<boolean | null> {
  const row = await db.selectFrom('keyCanary').select('sealed').executeTakeFirst();
  return row ? secretBox.open(row.sealed) === canary : null;
}

/** Encrypts the canary with the current key and stores it. Without `isReplaced`, keeps an existing canary. */
export async function sealCanary(db: Db, secretBox: SecretBox, { isReplaced = false } = {}): Promise<void> {
  const sealed = secretBox.seal(canary);
  await db
    .insertInto('keyCanary')
    .values({ sealed })
    .onConflict((conflict) =>
      isReplaced ? conflict.column('isOnly').doUpdateSet({ sealed }) : conflict.column('isOnly').doNothing(),
    )
    .execute();
}

/**
 * Re-encrypts the webhook secrets of the next `stepMax` accounts after `afterId` with the current key. Returns the
 * number of changed accounts and the last id that was read. `lastId` is null if no accounts were left.
 */
export async function reencryptSecrets(
  db: Db,
  secretBox: SecretBox,
  afterId: number,
  stepMax: number,
): Promise<{ renewed: number; lastId: number | null }> {
  const rows = await db
    .selectFrom('accounts')
    .select(['accountId', 'webhookSecret', 'previousWebhookSecret'])
    .where('accountId', '>', afterId)
    .orderBy('accountId')
    .limit(stepMax)
    .execute();
  let renewed = 0;
  for (const { accountId, webhookSecret, previousWebhookSecret } of rows) {
    const current = secretBox.renew(webhookSecret);
    const previous = previousWebhookSecret && secretBox.renew(previousWebhookSecret);
    if (!current && !previous) continue;
    const { numUpdatedRows } = await db
      .updateTable('accounts')
      .set({
        webhookSecret: current ?? webhookSecret,
        previousWebhookSecret: previous ?? previousWebhookSecret,
      })
      .where('accountId', '=', accountId)
      // Does nothing if the secret was rotated in the meantime.
      .where('webhookSecret', '=', webhookSecret)
      .where(sql<boolean>`previous_webhook_secret is not distinct from ${previousWebhookSecret}`)
      .executeTakeFirst();
    renewed += Number(numUpdatedRows);
  }
  return { renewed, lastId: rows.at(-1)?.accountId ?? null };
}
