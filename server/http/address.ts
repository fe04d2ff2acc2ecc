import type { Request } from 'express';

/** The network address that a request comes from; IPv4 as such, also where a socket takes both. */
export function addressOf({ ip }: Request): string | null {
  return ip?.replace(/^::ffff:(?=\d+\.)/, '') ?? null;
}
