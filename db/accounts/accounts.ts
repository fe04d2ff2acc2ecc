import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { SecretBox } from '../../process/secret-box.ts';
import type { Db, Trx } from '../postgres/connect.ts';

/** Owner of tokens, batches, monitors and credits. */
export interface Account {
  accountId: number;
  /** Sum of the account's ledger entries, never below zero. */
  credits: number;
  /** Email of the account's first owner; null if the account has no owner. */
  email: string | null;
  createdAt: Date;
  /** Null while the account is open. */
  disabledAt: Date | null;
}

export function selectAccount(db: Db, accountId: number) {
  return db.selectFrom('accounts').where('accountId', '=', accountId);
}

export function updateAccount(db: Db, accountId: number) {
  return db.updateTable('accounts').where('accountId', '=', accountId);
}

/** Creates an account without credits. Returns its webhook secret in plain text. */
export async function create(
  db: Db,
  secretBox: SecretBox,
): Promise<{ accountId: number; webhookSecret: string }> {
  const webhookSecret = newWebhookSecret();
  const { accountId } = await db
    .insertInto('accounts')
    .values({ webhookSecret: secretBox.seal(webhookSecret) })
    .returning('accountId')
    .executeTakeFirstOrThrow();
  return { accountId, webhookSecret };
}

interface WebhookSecrets {
  /** Null if the secret cannot be decrypted. The account must then rotate it. */
  current: string | null;
  /**
   * The secret before the last rotation. It also signs deliveries until it expires. Null if no such secret is valid.
   */
  previous: { secret: string; expiresAt: Date } | null;
}

/**
 * Returns the secrets that sign deliveries, the current secret first. Secrets that cannot be decrypted are left out.
 */
export async function findSigningSecrets(
  db: Db,
  secretBox: SecretBox,
  accountId: number,
  { isTest }: { isTest: boolean },
): Promise<string[]> {
  const live = await findWebhookSecrets(db, secretBox, accountId);
  const { current, previous } = isTest ? deriveTestSecrets(live) : live;
  return [current, previous?.secret ?? null].filter((secret) => secret !== null);
}

export async function findWebhookSecrets(
  db: Db,
  secretBox: SecretBox,
  accountId: number,
): Promise<WebhookSecrets> {
  const row = await selectAccount(db, accountId)
    .select(['webhookSecret', 'previousWebhookSecret'])
    .select(sql<Date | null>`webhook_secret_rotated_at + ${previousValidFor}`.as('expiresAt'))
    .select(
      sql<boolean | null>`webhook_secret_rotated_at + ${previousValidFor} > now()`.as('isPreviousValid'),
    )
    .executeTakeFirstOrThrow();
  const { previousWebhookSecret: sealed, expiresAt, isPreviousValid } = row;
  const secret = isPreviousValid && sealed ? secretBox.open(sealed) : null;
  return {
    current: secretBox.open(row.webhookSecret),
    previous: secret !== null && expiresAt ? { secret, expiresAt } : null,
  };
}

/** Derives the secrets for webhooks of test tokens. A test secret does not reveal the webhook secret of the account. */
export function deriveTestSecrets({ current, previous }: WebhookSecrets): WebhookSecrets {
  return {
    current: current && deriveTestSecret(current),
    previous: previous && { ...previous, secret: deriveTestSecret(previous.secret) },
  };
}

function deriveTestSecret(secret: string): string {
  return `whsec_${createHmac('sha256', secret).update('sonde test webhooks').digest('base64')}`;
}

/** Replaces the webhook secret. The replaced secret stays valid for 24 hours. Older secrets become invalid now. */
export async function rotateWebhookSecret(trx: Trx, secretBox: SecretBox, accountId: number): Promise<void> {
  await updateAccount(trx, accountId)
    .set((eb) => ({
      previousWebhookSecret: eb.ref('webhookSecret'),
      webhookSecret: secretBox.seal(newWebhookSecret()),
      webhookSecretRotatedAt: sql`now()`,
    }))
    .execute();
}

/** Replaces the webhook secret. All earlier secrets become invalid now. */
export async function replaceWebhookSecret(trx: Trx, secretBox: SecretBox, accountId: number): Promise<void> {
  await updateAccount(trx, accountId)
    .set({
      webhookSecret: secretBox.seal(newWebhookSecret()),
      previousWebhookSecret: null,
      webhookSecretRotatedAt: null,
    })
    .execute();
}

/** Returns all accounts, oldest first. */
export async function list(db: Db): Promise<Account[]> {
  const accounts = await db
    .selectFrom('accounts')
    .select(['accountId', 'credits', 'createdAt', 'disabledAt'])
    .orderBy('accountId')
    .execute();
  const owners = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.userId', 'memberships.userId')
    .select(['memberships.accountId', 'users.email'])
    .distinctOn('memberships.accountId')
    .where('memberships.role', '=', 'owner')
    .orderBy('memberships.accountId')
    .orderBy('memberships.createdAt')
    .orderBy('memberships.userId')
    .execute();
  const emails = new Map(owners.map((owner) => [owner.accountId, owner.email]));
  return accounts.map((account) => ({ ...account, email: emails.get(account.accountId) ?? null }));
}

export async function isOpen(db: Db, accountId: number): Promise<boolean> {
  const row = await selectAccount(db, accountId).select('disabledAt').executeTakeFirst();
  return row?.disabledAt === null;
}

export async function filterOpen(db: Db, accountIds: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('accounts')
    .select('accountId')
    .where('accountId', 'in', accountIds)
    .where('disabledAt', 'is', null)
    .execute();
  return new Set(rows.map(({ accountId }) => accountId));
}

/** Disables an account. All tokens of the account become invalid. */
export async function disable(db: Db, accountId: number): Promise<void> {
  await updateAccount(db, accountId)
    .set({ disabledAt: sql`now()` })
    .where('disabledAt', 'is', null)
    .execute();
}

/** Enables an account. Its tokens become valid again. */
export async function enable(db: Db, accountId: number): Promise<void> {
  await updateAccount(db, accountId).set({ disabledAt: null }).execute();
}

export async function exists(db: Db, accountId: number): Promise<boolean> {
  const row = await selectAccount(db, accountId).select('accountId').executeTakeFirst();
  return row !== undefined;
}

const previousValidFor = sql`interval '24 hours'`;

function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Name and time zone that reports of an account show. */
export interface AccountProfile {
  /** Null if no name was set. */
  name: string | null;
  /** IANA time zone; null for UTC. */
  timezone: string | null;
}

export const accountNameLengthMax = 100;

export function findProfile(db: Db, accountId: number): Promise<AccountProfile & { hasLogo: boolean }> {
  return selectAccount(db, accountId)
    .select(['name', 'timezone', sql<boolean>`logo is not null`.as('hasLogo')])
    .executeTakeFirstOrThrow();
}

export async function changeProfile(trx: Trx, accountId: number, profile: AccountProfile): Promise<void> {
  await updateAccount(trx, accountId).set(profile).execute();
}

export const logoBytesMax = 100 * 1024;

/** Returns the image that reports of an account show; null without an image. */
export async function findLogo(db: Db, accountId: number): Promise<Buffer | null> {
  const row = await selectAccount(db, accountId).select('logo').executeTakeFirst();
  return row?.logo ?? null;
}

export async function setLogo(trx: Trx, accountId: number, logo: Buffer | null): Promise<void> {
  await updateAccount(trx, accountId).set({ logo }).execute();
}
