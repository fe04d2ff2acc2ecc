import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/** The network address that a request comes from; IPv4 as such, also where a socket takes both. */
export function addressOf({ ip }: Request): string | null {
  return ip?.replace(/^::ffff:(?=\d+\.)/, '') ?? null;
}

/** The network that a request comes from: an IPv4 address, or an IPv6 /56. */
export function networkOf({ ip }: Request): string | null {
  return ip === undefined ? null : ipKeyGenerator(ip);
}
