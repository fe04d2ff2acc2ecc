import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';
import type { SecretBox } from './secret-box.ts';

export interface Account {
  accountId: number;
  credits: number;
  email: string | null;
  createdAt: Date;
  disabledAt: Date | null;
}

/** Makes an account with no credits yet, and its webhook secret, which is answered in plain. */
export async function create(
  db: Db | Trx,
  box: SecretBox,
): Promise<{ accountId: number; webhookSecret: string }> {
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const { accountId } = await db
    .insertInto('accounts')
    .values({ webhookSecret: box.seal(webhookSecret) })
    .returning('accountId')
    .executeTakeFirstOrThrow();
  return { accountId, webhookSecret };
}

/** The secrets a delivery is signed with: the current one, and for a day after a rotation the one before. */
export async function webhookSecrets(db: Db, box: SecretBox, accountId: number): Promise<string[]> {
  const row = await db
    .selectFrom('accounts')
    .select(['webhookSecret', 'previousWebhookSecret'])
    .select(sql<boolean>`webhook_secret_rotated_at > now() - interval '24 hours'`.as('isPreviousValid'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  const previous = row.isPreviousValid && row.previousWebhookSecret ? [row.previousWebhookSecret] : [];
  return [row.webhookSecret, ...previous].map((sealed) => box.open(sealed));
}

/** Every account, oldest first, with the e-mail of its first user. */
export async function list(db: Db): Promise<Account[]> {
  return selectAccounts(db).orderBy('accounts.accountId').execute();
}

/** Null when there is none with this id. */
export async function find(db: Db, accountId: number): Promise<Account | null> {
  const found = await selectAccounts(db).where('accounts.accountId', '=', accountId).executeTakeFirst();
  return found ?? null;
}

/** From now on none of its tokens is valid. False when there is no such account. */
export async function disable(db: Db, accountId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ disabledAt: sql`coalesce(disabled_at, now())` })
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function selectAccounts(db: Db) {
  return db
    .selectFrom('accounts')
    .select((eb) => [
      'accounts.accountId',
      'accounts.credits',
      'accounts.createdAt',
      'accounts.disabledAt',
      eb
        .selectFrom('users')
        .select('users.email')
        .whereRef('users.accountId', '=', 'accounts.accountId')
        .orderBy('users.userId')
        .limit(1)
        .as('email'),
    ]);
}
