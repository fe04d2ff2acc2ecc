import { Secret, TOTP } from 'otpauth';

const period = 30;
// Also accepts the previous and the next code, because phone clocks are inexact, and typing takes time.
const window = 1;

export function createTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/**
 * Returns the `otpauth:` URI for the QR code. Apps split the label at the first colon, so the issuer contains no colon.
 */
export function toOtpauthUri(secret: string, { email, host }: { email: string; host: string }): string {
  return createTotp(secret, {
    label: email,
    issuer: `Sonde (${host.replace(/:(?=\d+$)/, ' port ').replaceAll(':', '.')})`,
  }).toString();
}

/** Returns the time step (RFC 6238, section 4.2) of a code; null unless that step is at most one away from now. */
export function findTimeStep(secret: string, code: string, nowMs = Date.now()): number | null {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const delta = createTotp(secret).validate({ token: digits, timestamp: nowMs, window });
  return delta === null ? null : Math.floor(nowMs / 1000 / period) + delta;
}

function createTotp(secret: string, names: { label?: string; issuer?: string } = {}): TOTP {
  return new TOTP({ ...names, algorithm: 'SHA1', digits: 6, period, secret: Secret.fromBase32(secret) });
}
