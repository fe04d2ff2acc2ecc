import { sql } from 'kysely';
import type { SecretBox } from '../../process/secret-box.ts';
import type { Db } from '../postgres/connect.ts';

const canary = 'canary';

/**
 * Whether what this database keeps sealed can be opened, by the key of today or the one before; `null`:
 * nothing says.
 */
export async function isOpenable(db: Db, box: SecretBox): Promise<boolean | null> {
  const row = await db.selectFrom('keyCanary').select('sealed').executeTakeFirst();
  return row ? box.open(row.sealed) === canary : null;
}

/** Seals the canary by today's key where there is none; `isReplaced`: over one that another key sealed, too. */
export async function sealCanary(db: Db, box: SecretBox, { isReplaced = false } = {}): Promise<void> {
  const sealed = box.seal(canary);
  await db
    .insertInto('keyCanary')
    .values({ sealed })
    .onConflict((conflict) =>
      isReplaced ? conflict.column('isOnly').doUpdateSet({ sealed }) : conflict.column('isOnly').doNothing(),
    )
    .execute();
}

/**
 * Seals by today's key what the one before had sealed, of accounts after an id in the order of ids. Answers
 * how many were renewed, and the last id looked at; null when there was none.
 */
export async function renewSecrets(
  db: Db,
  box: SecretBox,
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
    const current = box.renew(webhookSecret);
    const previous = previousWebhookSecret && box.renew(previousWebhookSecret);
    if (!current && !previous) continue;
    const { numUpdatedRows } = await db
      .updateTable('accounts')
      .set({
        webhookSecret: current ?? webhookSecret,
        previousWebhookSecret: previous ?? previousWebhookSecret,
      })
      .where('accountId', '=', accountId)
      // Unless it was rotated meanwhile.
      .where('webhookSecret', '=', webhookSecret)
      .where(sql<boolean>`previous_webhook_secret is not distinct from ${previousWebhookSecret}`)
      .executeTakeFirst();
    renewed += Number(numUpdatedRows);
  }
  return { renewed, lastId: rows.at(-1)?.accountId ?? null };
}
