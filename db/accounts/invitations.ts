import { sql } from 'kysely';
import type { Role } from '../../schemas/members.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { hashKey, isKey, randomKey } from './random-key.ts';

declare const plain: unique symbol;
/** Secret of an invitation link: 256 random bits. It is shown once. Only a hash of it is stored. */
export type InvitationKey = string & { readonly [plain]: true };

export interface Invitation {
  accountId: number;
  invitationId: number;
  /** Only the user with this email can accept the invitation. */
  email: string;
  role: Role;
  /** Email of the inviter at the time of the invitation; null for the operator. */
  invitedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
}

const lifeDays = 7;

interface NewInvitation extends Pick<Invitation, 'accountId' | 'email' | 'role' | 'invitedBy'> {
  /** The inviter; null or missing for the operator. */
  userId?: number | null;
}

/**
 * Creates an invitation and returns its key, which is not stored. Replaces an earlier invitation of the same address.
 */
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

/** Returns the valid invitations of an account, newest first. */
export function list(db: Db, accountId: number): Promise<Invitation[]> {
  return db
    .selectFrom('invitations')
    .select(columns)
    .where('accountId', '=', accountId)
    .where(isValid)
    .orderBy('invitationId', 'desc')
    .execute();
}

/** Finds the invitation of a key. Returns null if the invitation is unknown, used, revoked or expired. */
export async function find(db: Db, key: InvitationKey): Promise<Invitation | null> {
  const found = db.selectFrom('invitations').select(columns).where('hash', '=', hashKey(key)).where(isValid);
  return (await found.executeTakeFirst()) ?? null;
}

/** Finds an invitation by its id. Returns null if the invitation is unknown, used, revoked or expired. */
export async function findById(db: Db, accountId: number, invitationId: number): Promise<Invitation | null> {
  const found = db
    .selectFrom('invitations')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('invitationId', '=', invitationId)
    .where(isValid);
  return (await found.executeTakeFirst()) ?? null;
}

/** Replaces the key of an invitation. The old key is no longer valid. */
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

/** Deletes the invitation of a key and returns it. Returns null if the key is not valid. */
export async function redeem(trx: Trx, key: InvitationKey): Promise<Invitation | null> {
  const taken = trx
    .deleteFrom('invitations')
    .where('hash', '=', hashKey(key))
    .where(isValid)
    .returning(columns);
  return (await taken.executeTakeFirst()) ?? null;
}

/** Revokes an invitation. Returns null if the account has no invitation with this id. */
export async function revoke(trx: Trx, accountId: number, invitationId: number): Promise<Invitation | null> {
  const revoked = trx
    .deleteFrom('invitations')
    .where('accountId', '=', accountId)
    .where('invitationId', '=', invitationId)
    .returning(columns);
  return (await revoked.executeTakeFirst()) ?? null;
}

/** Revokes the invitations that a person sent. Returns the addresses of the invitations that had not expired. */
export async function revokeByUser(trx: Trx, accountId: number, userId: number): Promise<string[]> {
  const revoked = await trx
    .deleteFrom('invitations')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .returning(['email', isValid.as('isValid')])
    .execute();
  return revoked.filter(({ isValid }) => isValid).map(({ email }) => email);
}

export async function deleteAll(trx: Trx, accountId: number): Promise<void> {
  await trx.deleteFrom('invitations').where('accountId', '=', accountId).execute();
}

/** Returns null for a text that cannot be a key. */
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

const isValid = sql<boolean>`expires_at > now()`;
