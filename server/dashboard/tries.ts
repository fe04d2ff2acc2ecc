import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { comparable } from '../../db/accounts/users.ts';
import type { Db } from '../../db/postgres/connect.ts';
import { limiter, limiterClient } from '../../db/queue/limiter.ts';
import { networkOf } from '../http/address.ts';
import type { Devices } from './devices.ts';
import { Refusal } from './refusal.ts';

/** Counts of tries over all web processes. Each throws a 429 when there were too many. */
export interface Tries {
  /**
   * A try to sign in: 5 in 15 minutes per e-mail, 20 per address. A browser that signed in with this e-mail before
   * has 5 of its own, whatever strangers try. None after 30 that were right: each of those costs a tenth of a
   * second and two rows.
   */
  signIn(req: Request, email: string): Promise<void>;
  /** It was the right password: the tries before it are forgotten. */
  forget(req: Request, email: string): Promise<void>;
  /**
   * A mail with a link is asked for: 5 an hour per e-mail, 20 per address. Of a browser that signed in with this
   * e-mail before 5 of its own, whatever strangers ask for. Answers whether it is one.
   */
  mailed(req: Request, email: string): Promise<boolean>;
  /** A code of a second factor: 5 in 15 minutes. */
  second(userId: number): Promise<void>;
  /** It was right. */
  forgetSecond(userId: number): Promise<void>;
  /** What an e-mail is counted by, so that no address of a person stands in the table. */
  keyOf(email: string): Promise<string>;
  /** An e-mail address is to become somebody's, which tells whether it is another's: 5 a day per address. */
  newEmail(req: Request): Promise<void>;
  /** A signed-in user's password is asked for once more: 5 in 15 minutes. */
  password(userId: number): Promise<void>;
}

const quarterHour = 15 * 60;
const hour = 3600;
const day = 24 * 3600;

export function createTries(db: Db, devices: Devices): Tries {
  const client = limiterClient(db);
  const tries = (name: string, points: number, seconds: number) =>
    limiter(client, { table: 'sign_in_tries', name, points, seconds });
  const byEmail = tries('email', 5, quarterHour);
  const byAddress = tries('address', 20, quarterHour);
  const rightOnes = tries('right', 30, quarterHour);
  const byDevice = tries('device', 5, quarterHour);
  const byUser = tries('user', 5, quarterHour);
  const seconds = tries('second', 5, quarterHour);
  const mailsByEmail = tries('mail', 5, hour);
  const mailsByDevice = tries('mail-device', 5, hour);
  const mailsByAddress = tries('mail-from', 20, hour);
  const newEmails = tries('sign-up', 5, day);
  const keyOf = async (email: string) =>
    createHash('sha256')
      .update(await comparable(db, email))
      .digest('base64url');
  return {
    signIn: async (req, email) => {
      await take(byAddress, networkOf(req) ?? '');
      const key = await keyOf(email);
      const device = devices.known(req, key);
      await refuseIfUsedUp(rightOnes, key);
      await (device === null ? take(byEmail, key) : take(byDevice, device));
    },
    forget: async (req, email) => {
      const key = await keyOf(email);
      const device = devices.known(req, key);
      // Only its own: what strangers have tried goes on counting against them.
      await (device === null ? byEmail.delete(key) : byDevice.delete(device));
      await byAddress.reward(networkOf(req) ?? '');
      await rightOnes.penalty(key);
    },
    mailed: async (req, email) => {
      await take(mailsByAddress, networkOf(req) ?? '');
      const key = await keyOf(email);
      const device = devices.known(req, key);
      await (device === null ? take(mailsByEmail, key) : take(mailsByDevice, device));
      return device !== null;
    },
    second: (userId) => take(seconds, String(userId)),
    forgetSecond: async (userId) => void (await seconds.delete(String(userId))),
    keyOf,
    newEmail: (req) => take(newEmails, networkOf(req) ?? ''),
    password: (userId) => take(byUser, String(userId)),
  };
}

async function take(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    throw refused instanceof RateLimiterRes ? tooMany(refused) : refused;
  }
}

async function refuseIfUsedUp(limiter: RateLimiterPostgres, key: string): Promise<void> {
  const count = await limiter.get(key);
  if (count && count.consumedPoints >= limiter.points) throw tooMany(count);
}

function tooMany({ msBeforeNext }: RateLimiterRes): Refusal {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new Refusal(429, `Too many tries. Try again in ${inWords(seconds)}.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
