import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pLimit from 'p-limit';
import type { Db, Trx } from './connect.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

// About 290 ms and 64 MiB each (measured), so no more than two at once.
const cost = { N: 2 ** 16, r: 8, p: 2, maxmem: 160 * 1024 * 1024 };
const atOnce = pLimit(2);

/** Someone else has this e-mail address. */
export class EmailTakenError extends Error {
  constructor() {
    super('This e-mail address already has an account.');
    this.name = 'EmailTakenError';
  }
}

/** Lets a person sign in to an account. Throws EmailTakenError. */
export async function create(
  db: Db | Trx,
  user: { accountId: number; email: string; password: string },
): Promise<number> {
  const passwordHash = await hashPassword(user.password);
  const row = await db
    .insertInto('users')
    .values({ accountId: user.accountId, email: user.email, passwordHash })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('userId')
    .executeTakeFirst();
  if (!row) throw new EmailTakenError();
  return row.userId;
}

/** Sets the password of an account's users and ends their sessions. Answers how many users that were. */
export async function setPassword(db: Db | Trx, accountId: number, password: string): Promise<number> {
  const passwordHash = await hashPassword(password);
  const users = await db
    .updateTable('users')
    .set({ passwordHash })
    .where('accountId', '=', accountId)
    .returning('userId')
    .execute();
  const ids = users.map(({ userId }) => userId);
  if (ids.length > 0) await db.deleteFrom('sessions').where('userId', 'in', ids).execute();
  return ids.length;
}

/** As `scrypt$N$r$p$salt$hash`, so that the cost can be raised later. */
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await atOnce(() => derive(password.normalize('NFKC'), salt, 32, cost));
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}
