import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';

/** Where a connection is made to. */
export interface Endpoint {
  /** A name or an address, IPv6 without brackets. */
  host: string;
  port: number;
}

const ports: Record<string, number> = { 'http:': 80, 'https:': 443, 'postgres:': 5432, 'postgresql:': 5432 };

/** Where an address of ours points to; null when it names no host, as that of a Unix socket. */
export function endpointOf(url: string): Endpoint | null {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === '' || host.includes('%') ? null : { host, port: Number(port) || (ports[protocol] ?? 0) };
}

/**
 * Asks whether a connection can be made to an endpoint of the operator's own, a private or loopback one too. Nothing is
 * sent. Never rejects. For what strangers name there is `fetchOnce`.
 */
export function createReach({ host, port }: Endpoint, timeoutMs: number): () => Promise<boolean> {
  let resolving: Promise<string[]> | null = null;
  return async () => {
    // The system's look-up cannot be broken off and holds one of four threads: there is never a second one.
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
    const connecting = (addresses ?? []).map((address) => connects(address, port, late.signal));
    // Any one will do: a machine may have no way to those of IPv6.
    const isReached = await Promise.any(connecting).catch(() => false);
    clearTimeout(timer);
    return isReached;
  };
}

function connects(address: string, port: number, signal: AbortSignal): Promise<true> {
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
