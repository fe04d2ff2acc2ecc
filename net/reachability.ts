import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';

export interface Endpoint {
  /** A name or an address, IPv6 without brackets. */
  host: string;
  port: number;
}

const ports: Record<string, number> = { 'http:': 80, 'https:': 443, 'postgres:': 5432, 'postgresql:': 5432 };

/** Returns host and port of a configured URL; null without a host, such as for a Unix socket. */
export function parseEndpoint(url: string): Endpoint | null {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === '' || host.includes('%') ? null : { host, port: Number(port) || (ports[protocol] ?? 0) };
}

/**
 * Creates a function that checks whether a connection to the operator's own endpoint can be made. It sends nothing and
 * never rejects. Private addresses are allowed, so URLs of users must go through `fetchOnce`.
 */
export function createReachabilityCheck({ host, port }: Endpoint, timeoutMs: number): () => Promise<boolean> {
  let resolving: Promise<string[]> | null = null;
  return async () => {
    // The system's lookup cannot be aborted and holds one of four threads, so only one runs at a time.
    resolving ??= lookup(host, { all: true }).then(
      (found) => found.map(({ address }) => address),
      () => [],
    );
    void resolving.then(() => {
      resolving = null;
    });
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const addresses = await Promise.race([resolving, aborted(late.signal)]);
    const connecting = (addresses ?? []).map((address) => canConnect(address, port, late.signal));
    // One address is enough, because the machine may have no IPv6 route.
    const isReached = await Promise.any(connecting).catch(() => false);
    clearTimeout(timer);
    return isReached;
  };
}

function canConnect(address: string, port: number, signal: AbortSignal): Promise<true> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, signal });
    socket.once('connect', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
}
