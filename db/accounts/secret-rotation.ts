import { sql } from 'kysely';
import type { SecretBox } from '../../process/secret-box.ts';
import type { Db } from '../postgres/connect.ts';
import { updateAccount } from './accounts.ts';

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
export async function storeKeyCanary(
  db: Db,
  secretBox: SecretBox,
  { isReplaced = false } = {},
): Promise<void> {
  const sealed = secretBox.seal(canary);
  await db
    .insertInto('keyCanary')
    .values({ sealed })
    .onConflict((conflict) =>
      isReplaced ? conflict.column('isOnly').doUpdateSet({ sealed }) : conflict.column('isOnly').doNothing(),
    )
    .execute();
}

const stepMax = 500;

/** Re-encrypts the webhook secrets of accounts with the current key. Returns the number of changed accounts. */
export async function reencryptSecrets(db: Db, secretBox: SecretBox): Promise<number> {
  let renewed = 0;
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const rows = await listSecrets(db, afterId);
    for (const row of rows) renewed += await reencryptSecret(db, secretBox, row);
    afterId = rows.at(-1)?.accountId;
  }
  return renewed;
}

function listSecrets(db: Db, afterId: number): Promise<SecretRow[]> {
  return db
    .selectFrom('accounts')
    .select(['accountId', 'webhookSecret', 'previousWebhookSecret'])
    .where('accountId', '>', afterId)
    .orderBy('accountId')
    .limit(stepMax)
    .execute();
}

interface SecretRow {
  accountId: number;
  webhookSecret: Buffer;
  previousWebhookSecret: Buffer | null;
}

async function reencryptSecret(
  db: Db,
  secretBox: SecretBox,
  { accountId, webhookSecret, previousWebhookSecret }: SecretRow,
): Promise<number> {
  const current = secretBox.renew(webhookSecret);
  const previous = previousWebhookSecret && secretBox.renew(previousWebhookSecret);
  if (!current && !previous) return 0;
  const { numUpdatedRows } = await updateAccount(db, accountId)
    .set({
      webhookSecret: current ?? webhookSecret,
      previousWebhookSecret: previous ?? previousWebhookSecret,
    })
    // Does nothing if the secret was rotated in the meantime.
    .where('webhookSecret', '=', webhookSecret)
    .where(sql<boolean>`previous_webhook_secret is not distinct from ${previousWebhookSecret}`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
