import type { ActivityWord } from '../../schemas/activity.ts';
import type { Db, Trx } from '../postgres/connect.ts';
import { countUpTo, newestFirst, type Window } from '../postgres/keyset.ts';
import { storableText } from '../postgres/text.ts';
import { hold } from './open-account.ts';

/** Who did something, by what and from where. */
export interface Actor {
  /** Null for the operator, and for a token that nobody made. */
  userId: number | null;
  /** As it is at this moment; kept, whatever becomes of the person. */
  email: string | null;
  /** Null for what is done in the dashboard. */
  token: { tokenId: number; name: string } | null;
  /** Of the network; null when it came from none, as the operator's commands. */
  address: string | null;
}

/** Nobody of the account: the operator, at a terminal. */
export const operator: Actor = { userId: null, email: null, token: null, address: null };

/** Something that somebody did, as it is noted. */
export interface Noted {
  accountId: number;
  what: ActivityWord;
  by: Actor;
  /** What it was done to, as people call it: an address, a token's name. Never a secret. Cut at 300 characters. */
  about?: string;
}

/** An entry as lists show it. */
export interface ActivityRow {
  activityId: number;
  notedAt: Date;
  /** A word of `activities`, or of a later release. */
  what: string;
  /** The actor's, as it was then; null for the operator, and for a token that nobody made. */
  email: string | null;
  /** As the token was called; null for what was done in the dashboard, and for the operator. */
  tokenName: string | null;
  /** Of the network; null when it came from none. */
  address: string | null;
  /** What it was done to, as people called it; null where the word says all. */
  about: string | null;
}

/** The place of an entry in the list. */
export type ActivityPlace = Pick<ActivityRow, 'notedAt' | 'activityId'>;

const aboutLengthMax = 300;

/** Notes what somebody did, in the transaction in which it is done. */
export async function note(trx: Db | Trx, { accountId, what, by, about }: Noted): Promise<void> {
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
      about: about === undefined ? null : storableText(about).slice(0, aboutLengthMax).toWellFormed(),
    })
    .execute();
}

/** What is done to how a person signs in. */
export interface NotedOfPerson {
  what: ActivityWord;
  /** Of the network. */
  address: string | null;
  /** Where it was not the person: the operator. */
  by?: Actor;
  about?: string;
}

/** The same of how a person signs in, in every open account that they are in. */
export async function noteOfPerson(
  trx: Trx,
  userId: number,
  { what, address, by, about }: NotedOfPerson,
): Promise<void> {
  const places = await trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.userId', 'memberships.userId')
    .select(['memberships.accountId', 'users.email'])
    .where('memberships.userId', '=', userId)
    .execute();
  for (const { accountId, email } of places) {
    if (!(await hold(trx, accountId))) continue;
    const actor = by ?? { userId, email, token: null, address };
    await note(trx, { accountId, what, by: actor, about: about ?? (by ? email : undefined) });
  }
}

/** What was done in an account, newest first. */
export function list(db: Db, accountId: number, page: Window<ActivityPlace>): Promise<ActivityRow[]> {
  const { limit, offset = 0, after } = page;
  return ofAccount(db, accountId, after)
    .select(['activityId', 'notedAt', 'what', 'email', 'tokenName', 'address', 'about'])
    .limit(limit)
    .offset(offset)
    .execute();
}

/** How many entries an account has, counted up to `max`. */
export function count(db: Db, accountId: number, max: number): Promise<number> {
  return countUpTo(db, ofAccount(db, accountId), max);
}

/** Forgets what was done in an account that is closed: it names people. */
export async function forget(trx: Trx, accountId: number): Promise<void> {
  await trx.deleteFrom('activity').where('accountId', '=', accountId).execute();
}

function ofAccount(db: Db, accountId: number, after?: ActivityPlace) {
  const entries = db.selectFrom('activity').where('accountId', '=', accountId);
  return newestFirst(entries, ['notedAt', 'activityId'], after && [after.notedAt, after.activityId]);
}
