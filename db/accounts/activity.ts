import type { ActivityKind } from '../../schemas/activity.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type PageParams } from '../postgres/keyset.ts';
import { toStorableText } from '../postgres/text.ts';
import { lockOpenAccount } from './open-account.ts';

/** Person, token or operator that did something. */
export interface Actor {
  /** Null for the operator, and for tokens that the operator created. */
  userId: number | null;
  /** The email is stored as a copy, so that it stays when the person leaves. */
  email: string | null;
  /** Null for actions in the dashboard. */
  token: { tokenId: number; name: string } | null;
  /** IP address; null for commands of the operator. */
  address: string | null;
}

/** Actor of the admin commands. */
export const operator: Actor = { userId: null, email: null, token: null, address: null };

interface NewActivity {
  accountId: number;
  what: ActivityKind;
  by: Actor;
  /** Object of the action, such as an email or a token's name. Never a secret. Cut at 300 characters. */
  about?: string;
}

export interface ActivityRow {
  activityId: number;
  notedAt: Date;
  /** One of `activities`, or a kind that a later release added. */
  what: string;
  /** Email of the actor at the time of the action. Null for the operator and for tokens that the operator created. */
  email: string | null;
  /** Null for actions in the dashboard, and for the operator. */
  tokenName: string | null;
  /** IP address; null for commands of the operator. */
  address: string | null;
  /** Object of the action; null if it has none. */
  about: string | null;
}

export type ActivityCursor = Pick<ActivityRow, 'notedAt' | 'activityId'>;

const aboutLengthMax = 300;

/** Records an action. Call this in the transaction of the action. */
export async function record(trx: Db, { accountId, what, by, about }: NewActivity): Promise<void> {
  const { userId, email, token, address } = by;
  await trx
    .insertInto('activity')
    .values({
      accountId,
      what,
      userId,
      email,
      tokenId: token?.tokenId ?? null,
      tokenName: token?.name ?? null,
      address,
      about: about === undefined ? null : toStorableText(about).slice(0, aboutLengthMax).toWellFormed(),
    })
    .execute();
}

interface SignInChange {
  what: ActivityKind;
  /** IP address. */
  address: string | null;
  /** If missing, the person made the change. */
  by?: Actor;
  about?: string;
}

/** Records a change of a person's sign-in data in every open account of the person. */
export async function recordForUser(
  trx: Trx,
  userId: number,
  { what, address, by, about }: SignInChange,
): Promise<void> {
  const accounts = await trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.userId', 'memberships.userId')
    .select(['memberships.accountId', 'users.email'])
    .where('memberships.userId', '=', userId)
    .execute();
  for (const { accountId, email } of accounts) {
    if (!(await lockOpenAccount(trx, accountId))) continue;
    const actor = by ?? { userId, email, token: null, address };
    await record(trx, { accountId, what, by: actor, about: about ?? (by ? email : undefined) });
  }
}

/** Returns the actions in an account, newest first. */
export function list(db: Db, accountId: number, page: PageParams<ActivityCursor>): Promise<ActivityRow[]> {
  const { limit, offset = 0, after } = page;
  return selectEntries(db, accountId, after)
    .select(['activityId', 'notedAt', 'what', 'email', 'tokenName', 'address', 'about'])
    .limit(limit)
    .offset(offset)
    .execute();
}

export function count(db: Db, accountId: number, max: number): Promise<number> {
  return countUpTo(db, selectEntries(db, accountId), max);
}

/** Deletes the entries of a closed account, because entries name people. */
export async function deleteAll(trx: Trx, accountId: number): Promise<void> {
  await trx.deleteFrom('activity').where('accountId', '=', accountId).execute();
}

function selectEntries(db: Db, accountId: number, after?: ActivityCursor) {
  const entries = db.selectFrom('activity').where('accountId', '=', accountId);
  return newestFirst(entries, ['notedAt', 'activityId'], after && [after.notedAt, after.activityId]);
}
