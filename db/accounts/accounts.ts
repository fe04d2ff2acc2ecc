import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { SecretBox } from '../../process/secret-box.ts';
import type { Db, Trx } from '../postgres/connect.ts';

/** Who pays: owns tokens, batches, monitors and credits. */
export interface Account {
  accountId: number;
  /** The sum of its ledger at every instant, never below zero; moved by the ledger alone. */
  credits: number;
  /** Of its first owner; null when it has none, as after it was closed. */
  email: string | null;
  createdAt: Date;
  /** From when on none of its tokens is valid; null while it is open. By the operator, or for good. */
  disabledAt: Date | null;
}

/** Makes an account with no credits yet, and its webhook secret, which is answered in plain. */
export async function create(
  db: Db | Trx,
  box: SecretBox,
): Promise<{ accountId: number; webhookSecret: string }> {
  const webhookSecret = newWebhookSecret();
  const { accountId } = await db
    .insertInto('accounts')
    .values({ webhookSecret: box.seal(webhookSecret) })
    .returning('accountId')
    .executeTakeFirstOrThrow();
  return { accountId, webhookSecret };
}

export interface WebhookSecrets {
  /** Null when it can no longer be opened: the account has to rotate. */
  current: string | null;
  /** The one before the last rotation, as long as deliveries are signed with it too; else null. */
  previous: { secret: string; expiresAt: Date } | null;
}

/** The secrets an account's deliveries are signed with, the current one first; none when none can be opened. */
export async function signingSecrets(
  db: Db,
  box: SecretBox,
  accountId: number,
  { isTest }: { isTest: boolean },
): Promise<string[]> {
  const live = await webhookSecrets(db, box, accountId);
  const { current, previous } = isTest ? testSecretsOf(live) : live;
  return [current, previous?.secret ?? null].filter((secret) => secret !== null);
}

/** The webhook secrets of an account, opened. */
export async function webhookSecrets(
  db: Db | Trx,
  box: SecretBox,
  accountId: number,
): Promise<WebhookSecrets> {
  const row = await db
    .selectFrom('accounts')
    .select(['webhookSecret', 'previousWebhookSecret'])
    .select(sql<Date | null>`webhook_secret_rotated_at + ${overlap}`.as('expiresAt'))
    .select(sql<boolean | null>`webhook_secret_rotated_at + ${overlap} > now()`.as('isPreviousValid'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  const { previousWebhookSecret: sealed, expiresAt, isPreviousValid } = row;
  const secret = isPreviousValid && sealed ? box.open(sealed) : null;
  return {
    current: box.open(row.webhookSecret),
    previous: secret !== null && expiresAt ? { secret, expiresAt } : null,
  };
}

/**
 * The secrets that webhooks of test tokens are signed with: made of the live ones, with which they rotate, and of no
 * use to find those.
 */
export function testSecretsOf({ current, previous }: WebhookSecrets): WebhookSecrets {
  return {
    current: current && testSecretOf(current),
    previous: previous && { ...previous, secret: testSecretOf(previous.secret) },
  };
}

function testSecretOf(secret: string): string {
  return `whsec_${createHmac('sha256', secret).update('sonde test webhooks').digest('base64')}`;
}

/**
 * Makes a new webhook secret; the one until now stays valid beside it for 24 hours, one older than that ends
 * now.
 */
export async function rotateWebhookSecret(trx: Trx, box: SecretBox, accountId: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((eb) => ({
      previousWebhookSecret: eb.ref('webhookSecret'),
      webhookSecret: box.seal(newWebhookSecret()),
      webhookSecretRotatedAt: sql`now()`,
    }))
    .where('accountId', '=', accountId)
    .execute();
}

/** Makes a new webhook secret; no earlier one stays valid. */
export async function replaceWebhookSecret(trx: Trx, box: SecretBox, accountId: number): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({
      webhookSecret: box.seal(newWebhookSecret()),
      previousWebhookSecret: null,
      webhookSecretRotatedAt: null,
    })
    .where('accountId', '=', accountId)
    .execute();
}

/** Every account, oldest first, with the e-mail of its first owner. */
export async function list(db: Db): Promise<Account[]> {
  const accounts = await selectAccounts(db).orderBy('accountId').execute();
  const emails = await firstEmails(db);
  return accounts.map((account) => ({ ...account, email: emails.get(account.accountId) ?? null }));
}

/** Null when there is none with this id. */
export async function find(db: Db, accountId: number): Promise<Account | null> {
  const found = await selectAccounts(db).where('accountId', '=', accountId).executeTakeFirst();
  if (!found) return null;
  const emails = await firstEmails(db, accountId);
  return { ...found, email: emails.get(accountId) ?? null };
}

/** Whether an account is there and open. */
export async function isOpen(db: Db | Trx, accountId: number): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('disabledAt')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row?.disabledAt === null;
}

/** Those of some accounts that are there and open. */
export async function openOf(db: Db, accountIds: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', 'in', accountIds)
    .where('disabledAt', 'is', null)
    .execute();
  return new Set(rows.map(({ accountId }) => accountId));
}

/** From now on none of its tokens is valid. False when there is no such account. */
export async function disable(db: Db | Trx, accountId: number): Promise<boolean> {
  await db
    .updateTable('accounts')
    .set({ disabledAt: sql`now()` })
    .where('accountId', '=', accountId)
    .where('disabledAt', 'is', null)
    .execute();
  return isThere(db, accountId);
}

/** Its tokens are valid again. False when there is no such account. */
export async function enable(db: Db | Trx, accountId: number): Promise<boolean> {
  await db.updateTable('accounts').set({ disabledAt: null }).where('accountId', '=', accountId).execute();
  return isThere(db, accountId);
}

async function isThere(db: Db | Trx, accountId: number): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

const overlap = sql`interval '24 hours'`;

function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function selectAccounts(db: Db) {
  return db.selectFrom('accounts').select(['accountId', 'credits', 'createdAt', 'disabledAt']);
}

/** The address of each account's first owner, or of one account's. */
async function firstEmails(db: Db, accountId?: number): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.userId', 'memberships.userId')
    .select(['memberships.accountId', 'users.email'])
    .distinctOn('memberships.accountId')
    .where('memberships.role', '=', 'owner')
    .$if(accountId !== undefined, (query) => query.where('memberships.accountId', '=', Number(accountId)))
    .orderBy('memberships.accountId')
    .orderBy('memberships.createdAt')
    .orderBy('memberships.userId')
    .execute();
  return new Map(rows.map((row) => [row.accountId, row.email]));
}
