import { Secret, TOTP } from 'otpauth';

const period = 30;
// The previous and the next code are also valid. Phone clocks are inexact, and typing takes time.
const window = 1;

export function createTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/**
 * Returns the `otpauth:` URI for the QR code. The issuer must not contain a colon, because apps split the label there.
 */
export function toOtpauthUri(secret: string, { email, host }: { email: string; host: string }): string {
  return createTotp(secret, {
    label: email,
    issuer: `Sonde (${host.replace(/:(?=\d+$)/, ' port ').replaceAll(':', '.')})`,
  }).toString();
}

/** Returns the time step (RFC 6238, section 4.2) of a code. Returns null if the code is not valid now. */
export function findTimeStep(secret: string, code: string, nowMs = Date.now()): number | null {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const delta = createTotp(secret).validate({ token: digits, timestamp: nowMs, window });
  return delta === null ? null : Math.floor(nowMs / 1000 / period) + delta;
}

function createTotp(secret: string, names: { label?: string; issuer?: string } = {}): TOTP {
  return new TOTP({ ...names, algorithm: 'SHA1', digits: 6, period, secret: Secret.fromBase32(secret) });
}
