import { isUtf8 } from 'node:buffer';
import type { AddressPolicy } from '../../net/address.ts';
import type { Agents } from '../../net/agent.ts';
import { type FetchedResponse, fetchOnce } from '../../net/fetch.ts';
import { createAbortedError, FetchError } from '../../net/fetch-error.ts';
import type { NameResolver, ResolvedAddress } from '../../net/resolver.ts';
import { isPermitted, parseIpHost, parseUrl, portOf, withoutFragment } from '../../net/url.ts';
import type { CheckSlot } from './slots.ts';

export interface RedirectTools {
  policy: AddressPolicy;
  agents: Agents;
  userAgent: string;
  target: TargetTools;
  signal: AbortSignal;
  /** Maximum of the raw bytes of one response. Default: the maximum for a page. */
  bytesMax?: number;
}

interface TargetTools {
  slot: CheckSlot;
  resolver: NameResolver;
  /** Last address that answered, by host. Connections to this address may still be open. */
  lastAddresses: Map<string, string>;
}

const redirectsMax = 10;

/** The URLs of one check, in the order of the requests, with times and the reason to stop. */
export class RedirectChain {
  readonly redirects: Array<{ url: string; status: number }> = [];
  readonly startedMs = performance.now();
  readonly firstUrl: URL;
  url: URL;
  /** Status of the first response; 0 until it arrives. */
  initialStatus = 0;
  /** Time from the first request to the last headers. Excludes `waitedMs`. */
  elapsedMs = 0;
  /** Time spent waiting for slots at hosts and addresses. */
  waitedMs = 0;
  /** Reason why the last redirect was not followed. Null for any other response, and if redirects are off. */
  error: 'too_many_redirects' | 'redirect_loop' | 'invalid_redirect' | null = null;

  constructor(url: URL) {
    this.firstUrl = url;
    this.url = url;
  }

  stopClock(): void {
    this.elapsedMs = performance.now() - this.startedMs - this.waitedMs;
  }
}

/**
 * Requests the URL of a chain. If `isFollowed`, also follows redirects. Returns the last response. `deadlineMs` ends
 * each wait for a slot. The time of these waits is added to the deadline of the requests. Throws FetchError if a
 * request gets no response.
 */
export async function followRedirects(
  chain: RedirectChain,
  tools: RedirectTools,
  { deadlineMs, isFollowed }: { deadlineMs: number; isFollowed: boolean },
): Promise<FetchedResponse> {
  while (true) {
    const response = await request(chain, tools, deadlineMs);
    chain.stopClock();
    chain.initialStatus ||= response.status;
    const next = isFollowed ? nextHop(response, chain.url) : null;
    if (next === null) return response;
    if (next === 'invalid' || chain.redirects.length === redirectsMax) {
      chain.error = next === 'invalid' ? 'invalid_redirect' : redirectLimitError(chain, next);
      return response;
    }
    response.discard();
    chain.redirects.push({ url: chain.url.href, status: response.status });
    chain.url = requirePermitted(next, tools.policy);
  }
}

async function request(
  chain: RedirectChain,
  tools: RedirectTools,
  deadlineMs: number,
): Promise<FetchedResponse> {
  const { target, signal, policy } = tools;
  const { url } = chain;
  const misses: FetchError[] = [];
  let untried = await resolveAddresses(url, { ...target, policy }, { signal, deadlineMs });
  while (true) {
    const sinceMs = performance.now();
    const address = await enterTarget(url, untried, target.slot, { signal, deadlineMs });
    chain.waitedMs += performance.now() - sinceMs;
    untried = untried.filter((other) => other !== address);
    try {
      const response = await fetchAt(chain, tools, { deadlineMs, address, isLast: untried.length === 0 });
      target.lastAddresses.set(url.host, address.address);
      return response;
    } catch (error) {
      if (!(error instanceof FetchError) || !isMiss(error)) throw error;
      misses.push(error);
      const isLate = performance.now() >= deadlineMs + chain.waitedMs;
      if (untried.length === 0 || isLate) throw mostSpecific(misses);
    }
  }
}

/** A wait ends when the signal is aborted, or at a time on the clock of `performance.now()`. */
interface WaitLimits {
  signal: AbortSignal;
  deadlineMs: number;
}

/** Maximum number of addresses to try. An address without a server may take a few seconds. */
const addressesMax = 8;

/**
 * Returns the addresses of a URL's host in the order of the attempts. Throws FetchError `dns_not_found`, `dns_failed`,
 * `target_not_allowed`, `aborted`.
 */
async function resolveAddresses(
  url: URL,
  {
    resolver,
    policy,
    lastAddresses,
  }: { resolver: NameResolver; policy: AddressPolicy; lastAddresses: Map<string, string> },
  until: WaitLimits,
): Promise<ResolvedAddress[]> {
  if (until.signal.aborted) throw createAbortedError();
  const resolved = await resolve(url.hostname, resolver, until);
  // One forbidden address forbids the host. All addresses are checked, not only the first eight.
  if (!resolved.every(({ address }) => policy.allows(address, portOf(url))))
    throw new FetchError('target_not_allowed', `${url.host} leads to an address that is not allowed`);
  return sortForAttempts(resolved, lastAddresses.get(url.host)).slice(0, addressesMax);
}

async function resolve(
  hostname: string,
  resolver: NameResolver,
  until: WaitLimits,
): Promise<ResolvedAddress[]> {
  const address = parseIpHost(hostname);
  if (address !== null) return [{ address, family: address.includes(':') ? 6 : 4 }];
  return withDeadline(until, (signal) => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const fail = () =>
      reject(
        until.signal.aborted
          ? createAbortedError()
          : new FetchError('dns_failed', 'no resolver answered in time'),
      );
    signal.addEventListener('abort', fail, { once: true });
    return Promise.race([resolver.resolve(hostname), late]);
  });
}

/** The last address that answered comes first. Then IPv4 and IPv6 take turns, because one of them may not work. */
function sortForAttempts(addresses: readonly ResolvedAddress[], last: string | undefined): ResolvedAddress[] {
  const rank = new Map<ResolvedAddress, number>();
  const counts = { 4: 0, 6: 0 };
  for (const address of addresses)
    rank.set(address, address.address === last ? -1 : counts[address.family]++);
  return addresses.toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
}

/**
 * Waits for a slot at a URL's host, and for a slot at one of these addresses. Throws FetchError `aborted`, or `no_slot`
 * if no slot was free before the deadline.
 */
async function enterTarget(
  url: URL,
  addresses: readonly ResolvedAddress[],
  slot: CheckSlot,
  until: WaitLimits,
): Promise<ResolvedAddress> {
  const names = addresses.map(({ address }) => address);
  try {
    const name = await withDeadline(until, (signal) => slot.moveTo(url.host, names, signal));
    return addresses[names.indexOf(name)] as ResolvedAddress;
  } catch {
    throw until.signal.aborted ? createAbortedError() : new FetchError('no_slot', `${url.host} is full`);
  }
}

/** Calls `callback` with a signal that is also aborted at the deadline. `AbortSignal.any` is slower. */
async function withDeadline<T>(
  { signal, deadlineMs }: WaitLimits,
  callback: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const abort = () => end.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(abort, Math.max(0, deadlineMs - performance.now()));
  try {
    return await callback(end.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Time limit to connect to one address. A host on another continent may need this time. */
const attemptMs = 3_000;

function fetchAt(
  { url, waitedMs }: RedirectChain,
  { agents, signal, userAgent, bytesMax }: RedirectTools,
  { deadlineMs, address, isLast }: { deadlineMs: number; address: ResolvedAddress; isLast: boolean },
): Promise<FetchedResponse> {
  return fetchOnce(url, {
    agents,
    addresses: [address],
    ...(!isLast && { connectMs: attemptMs }),
    ...(bytesMax !== undefined && { bytesMax }),
    signal,
    deadlineMs: deadlineMs + waitedMs,
    headers: headers(userAgent),
  });
}

/** Returns whether no server was reached at an address. */
function isMiss({ code }: FetchError): boolean {
  return code === 'connect_refused' || code === 'connect_timeout' || code === 'network_down';
}

/** A refused connection is better evidence than a missing route. */
function mostSpecific(misses: readonly FetchError[]): FetchError | undefined {
  return misses.find(({ code }) => code !== 'network_down') ?? misses[0];
}

// A loop is reported only after ten redirects. Some sites redirect to the same URL once and then answer.
function redirectLimitError(chain: RedirectChain, next: URL): 'redirect_loop' | 'too_many_redirects' {
  const asked = [...chain.redirects.map(({ url }) => url), chain.url.href, next.href].map(withoutFragment);
  return new Set(asked).size < asked.length ? 'redirect_loop' : 'too_many_redirects';
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const locationLengthMax = 4096;

/**
 * Returns the target of a redirect. Returns null for a response that is not a redirect or has no `Location`. Returns
 * `invalid` if the target is invalid or not HTTP.
 */
function nextHop(response: FetchedResponse, from: URL): URL | 'invalid' | null {
  if (!redirectStatuses.has(response.status)) return null;
  const [header, ...others] = response.headers.getAll('location');
  if (header === undefined) return null;
  // Two different `Location` headers are invalid, as in browsers.
  if (others.some((other) => other !== header)) return 'invalid';
  const location = readLocation(header).trim();
  const url = location.length > locationLengthMax ? null : parseUrl(location, from.href);
  if (!url) return 'invalid';
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : 'invalid';
}

/**
 * Returns a `Location` as text. Node decodes the header as Latin-1. If the bytes are UTF-8, they are decoded again.
 * Otherwise, bytes beyond ASCII are percent-encoded, because their charset is unknown.
 */
function readLocation(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return header.replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Rejects a URL with a forbidden host name, IP address or port. Names are resolved and checked later. */
function requirePermitted(url: URL, policy: AddressPolicy): URL {
  if (!isPermitted(url, policy)) throw new FetchError('target_not_allowed', `redirected to ${url.host}`);
  return url;
}

function headers(userAgent: string): Record<string, string> {
  return {
    'User-Agent': userAgent,
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Accept-Language': 'en;q=0.8,*;q=0.5',
  };
}
