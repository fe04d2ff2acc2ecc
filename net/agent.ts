import { constants } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AddressPolicy } from './address.ts';
import { FetchError } from './fetch-error.ts';
import type { NameResolver, ResolvedAddress } from './resolver.ts';
import { parseIpHost } from './url.ts';

/**
 * Agents for http and https. Requests with the same agents can share connections. All chunks of an account use the same
 * agents. A single check or a delivery has its own agents.
 */
export interface Agents {
  http: http.Agent;
  https: https.Agent;
  close(): void;
}

export interface AgentOptions {
  policy: AddressPolicy;
  resolver: NameResolver;
  /** True if requests to one host may share a connection. Default: false. */
  keepAlive?: boolean;
}

type ConnectOptions = http.ClientRequestArgs & {
  host?: string | null;
  port?: number | string | null;
  /** Addresses of the host, if they are known already. */
  addresses?: readonly ResolvedAddress[];
  /** True if the request needs a new connection. This connection must not be reused. */
  isFresh?: boolean;
};
type OnConnect = (error: Error | null, stream: Duplex) => void;

/** Idle time after which a connection is closed. It is short, because a list may have a thousand hosts. */
const idleMs = 2_000;
// Time after which the next address of a host is tried. Node's default of 250 ms is too short for a host on another
// continent.
const addressAttemptMs = 3_000;

/**
 * Creates agents that connect only to addresses that the policy allows. They connect to the address that was checked,
 * and do not resolve the name again after the check. This prevents DNS rebinding.
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
    // Old servers cannot renegotiate securely (RFC 5746). We never renegotiate, so we accept these servers, as browsers
    // do.
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
    maxCachedSessions: keepAlive ? 100 : 0,
  });
  for (const agent of [plain, secure]) guardConnections(agent, policy, resolver);
  return {
    http: plain,
    https: secure,
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}

function guardConnections(agent: http.Agent, policy: AddressPolicy, resolver: NameResolver): void {
  const connect = agent.createConnection.bind(agent);
  const getName = agent.getName.bind(agent);
  // A connection is reused for the same addresses only, because the name may resolve to other addresses later.
  agent.getName = (options: ConnectOptions = {}) => {
    const name = [getName(options as https.RequestOptions), ...sortedAddresses(options)].join('|');
    return options.isFresh ? `${name}|fresh` : name;
  };
  agent.createConnection = (options: ConnectOptions, onConnect?: OnConnect) => {
    const port = Number(options.port);
    const literal = parseIpHost(options.host ?? '');
    // net.connect does not call `lookup` for an IP address, so the address is checked here. The callback gets the error
    // later, because an immediate error would come before the request listens and would end the process.
    if (literal && !policy.allows(literal, port)) {
      setImmediate(() => onConnect?.(createRefusal(literal, port), undefined as unknown as Duplex));
      return undefined;
    }
    const guarded = {
      ...options,
      lookup: guardedLookup(policy, options.addresses ? fixedResolver(options.addresses) : resolver, port),
      autoSelectFamilyAttemptTimeout: addressAttemptMs,
      socketPath: undefined,
    };
    const socket = connect(guarded, onConnect) as Socket | undefined;
    if (!socket) return socket;
    verifyPeer(socket, policy, port);
    return socket;
  };
}

function sortedAddresses({ addresses = [] }: ConnectOptions): string[] {
  return addresses.map(({ address }) => address).sort();
}

function fixedResolver(addresses: readonly ResolvedAddress[]): NameResolver {
  return { resolve: async () => [...addresses] };
}

/** Checks the address of the peer again after connecting, in case the lookup was bypassed. */
function verifyPeer(socket: Socket, policy: AddressPolicy, port: number): void {
  socket.once('connect', () => {
    const peer = socket.remoteAddress;
    if (peer && !policy.allows(peer, port)) socket.destroy(createRefusal(peer, port));
  });
}

function guardedLookup(policy: AddressPolicy, resolver: NameResolver, port: number): LookupFunction {
  return (hostname, options, callback) => {
    resolver.resolve(hostname).then(
      (addresses) => {
        // A private IP address among public addresses usually means DNS rebinding. So the whole name is refused.
        const forbidden = addresses.find(({ address }) => !policy.allows(address, port));
        if (forbidden) return callback(createRefusal(hostname, port), '', 4);
        if (options.all) return callback(null, addresses);
        const [first] = addresses;
        return callback(null, first?.address ?? '', first?.family ?? 4);
      },
      (error: Error) => callback(error, '', 4),
    );
  };
}

function createRefusal(host: string, port: number): FetchError {
  return new FetchError('target_not_allowed', `${host} port ${port} may not be contacted`);
}
