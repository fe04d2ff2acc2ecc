import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Config } from '../../config/config.ts';
import type { Cookies } from './cookies.ts';

export type KnownDevices = ReturnType<typeof createKnownDevices>;

const lifeDays = 180;

/**
 * Recognises browsers that have signed in before. Their cookie holds a random id, and a signature of the id and the
 * hashed email address.
 */
export function createKnownDevices({ secretKey }: Pick<Config, 'secretKey'>, cookies: Cookies) {
  const key = Buffer.from(hkdfSync('sha256', secretKey ?? '', '', 'sonde known devices', 32));
  const sign = (device: string, emailKey: string) =>
    createHmac('sha256', key).update(`${device} ${emailKey}`).digest();
  return {
    /** Returns the id of a browser that has signed in with this email before; null for other browsers. */
    findKnown: (req: Request, emailKey: string): string | null => {
      const [, device = '', signature = ''] =
        /^([\w-]{22})\.([\w-]{43})$/.exec(cookies.read(req, 'device') ?? '') ?? [];
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(device, emailKey);
      return given.length === expected.length && timingSafeEqual(given, expected) ? device : null;
    },
    remember: (res: Response, emailKey: string): void => {
      const device = randomBytes(16).toString('base64url');
      const value = `${device}.${sign(device, emailKey).toString('base64url')}`;
      cookies.write(res, 'device', value, lifeDays * 24 * 3600);
    },
  };
}
