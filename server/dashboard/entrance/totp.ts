import { Secret, TOTP } from 'otpauth';

const period = 30;
// A phone's clock may be half a minute off, and typing takes a while.
const window = 1;

export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What an app reads from the picture. The issuer has no colon: apps read what is before the first as the issuer. */
export function uriOf(secret: string, { email, host }: { email: string; host: string }): string {
  return totpOf(secret, {
    label: email,
    issuer: `Sonde (${host.replace(/:(?=\d+$)/, ' port ').replaceAll(':', '.')})`,
  }).toString();
}

/** The step (RFC 6238, section 4.2) whose code this is; null when it is none of now or of half a minute around it. */
export function stepOf(secret: string, code: string, nowMs = Date.now()): number | null {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const delta = totpOf(secret).validate({ token: digits, timestamp: nowMs, window });
  return delta === null ? null : Math.floor(nowMs / 1000 / period) + delta;
}

function totpOf(secret: string, names: { label?: string; issuer?: string } = {}): TOTP {
  return new TOTP({ ...names, algorithm: 'SHA1', digits: 6, period, secret: Secret.fromBase32(secret) });
}
