import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/** Returns the IP address of a request's client. IPv4-mapped addresses are returned as IPv4. */
export function getClientAddress({ ip }: Request): string | null {
  return ip?.replace(/^::ffff:(?=\d+\.)/, '') ?? null;
}

/** Returns the network of a request's client: an IPv4 address, or an IPv6 /56. */
export function getClientNetwork({ ip }: Request): string | null {
  return ip === undefined ? null : ipKeyGenerator(ip);
}
