import { sql } from 'kysely';
import type { SecretBox } from '../../process/secret-box.ts';
import type { Db } from '../postgres/connect.ts';

const canary = 'canary';

/** Returns whether SECRET_KEY or SECRET_KEY_PREVIOUS decrypts this database; null if there is no canary yet. */
export async function canDecrypt(db: Db, secretBox: SecretBox): Promise<boolean | null> {
  const row = await db.selectFrom('keyCanary').select('sealed').executeTakeFirst();
  return row ? secretBox.open(row.sealed) === canary : null;
}

/** Encrypts the canary with the current key. Replaces an existing one only if `isReplaced`. */
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
 * Encrypts with the current key the webhook secrets that the previous key encrypted, for `stepMax` accounts after an
 * id. Returns the number of changed accounts and the last id; null after the last account.
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
