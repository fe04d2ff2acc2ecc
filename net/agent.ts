import { constants } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AddressPolicy } from './address.ts';
import { FetchError } from './fetch-error.ts';
import type { NameResolver, ResolvedAddress } from './resolver.ts';
import { literalAddress } from './url.ts';

/** Both agents of one keeper of connections: the chunks of one account, a single check, or a delivery. */
export interface Agents {
  http: http.Agent;
  https: https.Agent;
  /** Ends every connection, idle or not. */
  close(): void;
}

interface AgentOptions {
  policy: AddressPolicy;
  resolver: NameResolver;
  /** Whether requests of this keeper to one host may share a connection. */
  keepAlive?: boolean;
}

type ConnectOptions = http.ClientRequestArgs & {
  host?: string | null;
  port?: number | string | null;
  /** What the name was resolved to already. */
  addresses?: readonly ResolvedAddress[];
  /** Whether the request needs a new connection. The connection must not be kept. */
  isFresh?: boolean;
};
type OnConnect = (error: Error | null, stream: Duplex) => void;

/** A connection that nobody has used for so long is ended: a list may lead to a thousand hosts. */
const idleMs = 2_000;
// Node's own 250 ms would give up on a host that is a continent away before the next address is tried.
const addressAttemptMs = 3_000;

/**
 * Agents that connect only where the policy allows. Names are resolved by us; all answers are looked at, and
 * the ones looked at are the ones connected to, so a name cannot change its meaning in between.
 */
export function createAgents({ policy, resolver, keepAlive = false }: AgentOptions): Agents {
  const options = {
    keepAlive,
    maxSockets: Number.POSITIVE_INFINITY,
    maxFreeSockets: 64,
    scheduling: 'lifo' as const,
    ...(keepAlive ? { timeout: idleMs } : {}),
  };
  const plain = new http.Agent(options);
  const secure = new https.Agent({
    ...options,
    minVersion: 'TLSv1.2',
    // Old servers cannot renegotiate securely (RFC 5746). Like browsers, we connect all the same; we never renegotiate.
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
    maxCachedSessions: keepAlive ? 100 : 0,
  });
  for (const agent of [plain, secure]) guard(agent, policy, resolver);
  return {
    http: plain,
    https: secure,
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}

const resolving = new WeakSet<Socket>();

/** Whether a connection still waits for the addresses of its name. */
export function isResolving(socket: Socket): boolean {
  return resolving.has(socket);
}

function guard(agent: http.Agent, policy: AddressPolicy, resolver: NameResolver): void {
  const connect = agent.createConnection.bind(agent);
  const nameOf = agent.getName.bind(agent);
  // A connection is kept for requests that may go to the same addresses: a name may have moved meanwhile.
  agent.getName = (options: ConnectOptions = {}) => {
    const name = [nameOf(options as https.RequestOptions), ...addressesOf(options)].join('|');
    return options.isFresh ? `${name}|fresh` : name;
  };
  agent.createConnection = (options: ConnectOptions, onConnect?: OnConnect) => {
    const port = Number(options.port);
    const literal = literalAddress(options.host ?? '');
    // net.connect never asks lookup about a literal, so it is looked at here. Refusing through the callback,
    // and later: a socket destroyed at once would raise its error before the request listens, and end the
    // process.
    if (literal && !policy.allows(literal, port)) {
      setImmediate(() => onConnect?.(refusal(literal, port), undefined as unknown as Duplex));
      return undefined;
    }
    const guarded = {
      ...options,
      lookup: guardedLookup(policy, options.addresses ? pinnedTo(options.addresses) : resolver, port),
      autoSelectFamilyAttemptTimeout: addressAttemptMs,
      socketPath: undefined,
    };
    const socket = connect(guarded, onConnect) as Socket | undefined;
    if (!socket) return socket;
    if (!literal) noteResolving(socket);
    verifyPeer(socket, policy, port);
    return socket;
  };
}

function addressesOf({ addresses = [] }: ConnectOptions): string[] {
  return addresses.map(({ address }) => address).sort();
}

function pinnedTo(addresses: readonly ResolvedAddress[]): NameResolver {
  return { resolve: async () => [...addresses] };
}

function noteResolving(socket: Socket): void {
  resolving.add(socket);
  socket.once('lookup', () => resolving.delete(socket));
}

/** A second line: whatever way the connection came about, its peer is looked at once more. */
function verifyPeer(socket: Socket, policy: AddressPolicy, port: number): void {
  socket.once('connect', () => {
    const peer = socket.remoteAddress;
    if (peer && !policy.allows(peer, port)) socket.destroy(refusal(peer, port));
  });
}

function guardedLookup(policy: AddressPolicy, resolver: NameResolver, port: number): LookupFunction {
  return (hostname, options, callback) => {
    resolver.resolve(hostname).then(
      (addresses) => {
        // One private address among public ones is a rebinding kit far more often than a site: refuse them
        // all.
        const forbidden = addresses.find(({ address }) => !policy.allows(address, port));
        if (forbidden) return callback(refusal(hostname, port), '', 4);
        if (options.all) return callback(null, addresses);
        const [first] = addresses;
        return callback(null, first?.address ?? '', first?.family ?? 4);
      },
      (error: Error) => callback(error, '', 4),
    );
  };
}

function refusal(host: string, port: number): FetchError {
  return new FetchError('target_not_allowed', `${host} port ${port} may not be contacted`);
}
