import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';

interface Endpoint {
  /** A name or an IP address. An IPv6 address has no brackets. */
  host: string;
  port: number;
}

const ports: Record<string, number> = { 'http:': 80, 'https:': 443, 'postgres:': 5432, 'postgresql:': 5432 };

/** Returns host and port of a configured URL. Returns null if the URL has no host, for example for a Unix socket. */
export function parseEndpoint(url: string): Endpoint | null {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === '' || host.includes('%') ? null : { host, port: Number(port) || (ports[protocol] ?? 0) };
}

/**
 * Creates a function that checks whether an endpoint of the operator accepts connections. The function sends nothing
 * and never rejects. Do not use it for URLs of users, because it allows private IP addresses.
 */
export function createReachabilityCheck({ host, port }: Endpoint, timeoutMs: number): () => Promise<boolean> {
  let resolving: Promise<string[]> | null = null;
  return async () => {
    // A system lookup cannot be aborted and occupies one of Node's four worker threads. So only one lookup runs at a
    // time.
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
