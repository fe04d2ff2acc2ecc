import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { type RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { normalizeEmail } from '../../db/accounts/users.ts';
import type { Db } from '../../db/postgres/connect.ts';
import { createLimiter, createLimiterClient } from '../../db/queue/limiter.ts';
import { formatWait } from '../../process/counted.ts';
import { getClientNetwork } from '../http/address.ts';
import type { KnownDevices } from './known-devices.ts';
import { Refusal } from './refusal.ts';

export type SignInAttempts = ReturnType<typeof createSignInAttempts>;

const quarterHour = 15 * 60;
const hour = 3600;
const day = 24 * 3600;

/** Rate limits of sign-in and account forms, shared by all web processes. A function throws a 429 above its limit. */
export function createSignInAttempts(db: Db, devices: KnownDevices) {
  const client = createLimiterClient(db);
  const createLimit = (name: string, points: number, seconds: number) =>
    createLimiter(client, { table: 'sign_in_tries', name, points, seconds });
  const byEmail = createLimit('email', 5, quarterHour);
  const byAddress = createLimit('address', 20, quarterHour);
  const correctByEmail = createLimit('right', 30, quarterHour);
  const byDevice = createLimit('device', 5, quarterHour);
  const byUser = createLimit('user', 5, quarterHour);
  const secondFactors = createLimit('second', 5, quarterHour);
  const mailsByEmail = createLimit('mail', 5, hour);
  const mailsByDevice = createLimit('mail-device', 5, hour);
  const mailsByAddress = createLimit('mail-from', 20, hour);
  const newEmails = createLimit('sign-up', 5, day);
  /** Hashes an email address. The counters use the hash as key, so that their table holds no personal data. */
  const hashEmail = async (email: string) =>
    createHash('sha256')
      .update(await normalizeEmail(db, email))
      .digest('base64url');
  return {
    /**
     * Counts an attempt to sign in. In 15 minutes, the limits are 5 attempts per email address and 20 per IP network. A
     * browser that has signed in with this address before has its own 5 attempts, so that strangers cannot lock it out.
     * A third limit is 30 correct passwords per email address, because a sign-in takes 0.1 s and writes two rows.
     */
    countSignIn: async (req: Request, email: string): Promise<void> => {
      await consume(byAddress, getClientNetwork(req) ?? '');
      const key = await hashEmail(email);
      const device = devices.findKnown(req, key);
      await refuseIfUsedUp(correctByEmail, key);
      await (device === null ? consume(byEmail, key) : consume(byDevice, device));
    },
    /**
     * Call this after a correct password. Counts it, and resets the counter of the email address or browser. Subtracts
     * the attempt from the counter of the network.
     */
    resetSignIn: async (req: Request, email: string): Promise<void> => {
      const key = await hashEmail(email);
      const device = devices.findKnown(req, key);
      // For a known browser, only its own counter is reset. The other counter also limits strangers who guess
      // passwords.
      await (device === null ? byEmail.delete(key) : byDevice.delete(device));
      await byAddress.reward(getClientNetwork(req) ?? '');
      await correctByEmail.penalty(key);
    },
    /**
     * Counts a request for an emailed link. In one hour, the limits are 5 per email address and 20 per IP network. A
     * browser that has signed in with this address before has its own 5 requests. Returns true for such a browser.
     */
    countEmailedLink: async (req: Request, email: string): Promise<boolean> => {
      await consume(mailsByAddress, getClientNetwork(req) ?? '');
      const key = await hashEmail(email);
      const device = devices.findKnown(req, key);
      await (device === null ? consume(mailsByEmail, key) : consume(mailsByDevice, device));
      return device !== null;
    },
    /** Counts an attempt with a second factor. The limit is 5 per user in 15 minutes. */
    countSecondFactor: (userId: number) => consume(secondFactors, String(userId)),
    resetSecondFactor: async (userId: number) => void (await secondFactors.delete(String(userId))),
    hashEmail,
    /**
     * Counts an attempt to use a new email address. The limit is 5 a day per IP network, because errors reveal whether
     * an address is taken.
     */
    countNewEmail: (req: Request) => consume(newEmails, getClientNetwork(req) ?? ''),
    /** Counts a password that a signed-in user types. The limit is 5 in 15 minutes. */
    countPassword: (userId: number) => consume(byUser, String(userId)),
  };
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
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
  return new Refusal(429, `Too many attempts. Try again in ${formatWait(seconds)}.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
