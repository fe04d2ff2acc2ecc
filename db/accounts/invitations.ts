import { sql } from 'kysely';
import type { Role } from '../../schemas/members.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { hashKey, isKey, randomKey } from './random-key.ts';

declare const plain: unique symbol;
/** What a link to join has in it: 256 random bits, shown once; only their hash is stored. */
export type InvitationKey = string & { readonly [plain]: true };

/** Somebody who was asked into an account and has not come yet. */
export interface Invitation {
  accountId: number;
  invitationId: number;
  /** For whom it is; nobody else joins by it. */
  email: string;
  role: Role;
  /** The inviter's address of then; null for the operator. */
  invitedBy: string | null;
  createdAt: Date;
  /** From when on it is void; it is never moved. */
  expiresAt: Date;
}

const lifeDays = 7;

export interface NewInvitation extends Pick<Invitation, 'accountId' | 'email' | 'role' | 'invitedBy'> {
  /** The inviter; null or missing for the operator. */
  userId?: number | null;
}

/** Creates an invitation and returns its key, which is not stored. Replaces an earlier one to the same address. */
export async function create(
  trx: Trx,
  { accountId, email, role, invitedBy, userId = null }: NewInvitation,
): Promise<{ key: InvitationKey; invitation: Invitation }> {
  await trx
    .deleteFrom('invitations')
    .where('accountId', '=', accountId)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .execute();
  const key = randomKey() as InvitationKey;
  const expiresAt = sql<Date>`now() + ${lifeDays} * interval '1 day'`;
  const invitation = await trx
    .insertInto('invitations')
    .values({ accountId, email, role, invitedBy, userId, hash: hashKey(key), expiresAt })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return { key, invitation };
}

/** The invitations of an account that are still good, newest first. */
export function list(db: Db | Trx, accountId: number): Promise<Invitation[]> {
  return db
    .selectFrom('invitations')
    .select(columns)
    .where('accountId', '=', accountId)
    .where(isGood)
    .orderBy('invitationId', 'desc')
    .execute();
}

/** Finds the invitation of a key. Returns null if it is unknown, used, revoked or expired. */
export async function find(db: Db | Trx, key: InvitationKey): Promise<Invitation | null> {
  const found = db.selectFrom('invitations').select(columns).where('hash', '=', hashKey(key)).where(isGood);
  return (await found.executeTakeFirst()) ?? null;
}

/** Finds an invitation by its id. Returns null if it is unknown, used, revoked or expired. */
export async function findById(
  db: Db | Trx,
  accountId: number,
  invitationId: number,
): Promise<Invitation | null> {
  const found = db
    .selectFrom('invitations')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('invitationId', '=', invitationId)
    .where(isGood);
  return (await found.executeTakeFirst()) ?? null;
}

/** Replaces the key of an invitation; the old key is no longer valid. */
export async function setKey(
  trx: Trx,
  { accountId, invitationId }: Pick<Invitation, 'accountId' | 'invitationId'>,
  key: string,
): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ hash: hashKey(key) })
    .where('accountId', '=', accountId)
    .where('invitationId', '=', invitationId)
    .execute();
}

/** Uses up a key, once. Returns null if it is not valid. */
export async function take(trx: Trx, key: InvitationKey): Promise<Invitation | null> {
  const taken = trx
    .deleteFrom('invitations')
    .where('hash', '=', hashKey(key))
    .where(isGood)
    .returning(columns);
  return (await taken.executeTakeFirst()) ?? null;
}

/** Revokes an invitation. Returns null if the account has none with this id. */
export async function revoke(trx: Trx, accountId: number, invitationId: number): Promise<Invitation | null> {
  const revoked = trx
    .deleteFrom('invitations')
    .where('accountId', '=', accountId)
    .where('invitationId', '=', invitationId)
    .returning(columns);
  return (await revoked.executeTakeFirst()) ?? null;
}

/** Revokes the open invitations that a person sent, and returns their addresses. */
export async function revokeOf(trx: Trx, accountId: number, userId: number): Promise<string[]> {
  const revoked = await trx
    .deleteFrom('invitations')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .returning(['email', isGood.as('isGood')])
    .execute();
  return revoked.filter(({ isGood }) => isGood).map(({ email }) => email);
}

/** Deletes every invitation to an account. */
export async function forgetAll(trx: Trx, accountId: number): Promise<void> {
  await trx.deleteFrom('invitations').where('accountId', '=', accountId).execute();
}

/** A text that could be a key, or null. */
export function parseKey(text: string): InvitationKey | null {
  return isKey(text) ? (text as InvitationKey) : null;
}

const columns = [
  'accountId',
  'invitationId',
  'email',
  'role',
  'invitedBy',
  'createdAt',
  'expiresAt',
] as const;

const isGood = sql<boolean>`expires_at > now()`;
