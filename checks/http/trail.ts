import { isUtf8 } from 'node:buffer';
import type { AddressPolicy } from '../../net/address.ts';
import type { Agents } from '../../net/agent.ts';
import { type FetchedResponse, fetchOnce } from '../../net/fetch.ts';
import { FetchError } from '../../net/fetch-error.ts';
import type { ResolvedAddress } from '../../net/resolver.ts';
import { parseTarget, parseUrl, urlLengthMax, withoutFragment } from '../../net/url.ts';
import type { Itinerary } from './itinerary.ts';

/** What following a trail borrows. */
export interface TrailTools {
  policy: AddressPolicy;
  agents: Agents;
  userAgent: string;
  /** Takes a place at each host; without it none is counted. */
  itinerary?: Itinerary;
  signal: AbortSignal;
  /** The most raw bytes of one answer, if not those of a page. */
  bytesMax?: number;
}

/** The most redirects followed. */
export const redirectsMax = 10;

/** The way from the first address to the last one, with what was met on it. */
export class Trail {
  readonly redirects: Array<{ url: string; status: number }> = [];
  readonly startedMs = performance.now();
  readonly firstUrl: URL;
  /** The last address asked. */
  url: URL;
  /** The first answer's code; 0 while there is none. */
  initialStatus = 0;
  /** From the first request to the last headers. */
  elapsedMs = 0;
  /** For places at hosts, which is no time of theirs. */
  waitedMs = 0;
  /**
   * Why the last answer, a redirect, was not followed; null when it was no redirect or not to be followed.
   */
  error: 'too_many_redirects' | 'redirect_loop' | 'invalid_redirect' | null = null;

  constructor(url: string) {
    this.firstUrl = new URL(url.trim());
    this.url = this.firstUrl;
  }

  /** Takes the time up to now. */
  noteTime(): void {
    this.elapsedMs = performance.now() - this.startedMs - this.waitedMs;
  }
}

/**
 * Asks for the trail's address and, if `isFollowed`, for each one it is sent on to, all within one deadline. It is put
 * off by what was waited for places, and no place is waited for beyond it. Answers the last response; throws FetchError
 * when one of the hops brought none.
 */
export async function follow(
  trail: Trail,
  tools: TrailTools,
  { deadlineMs, isFollowed }: { deadlineMs: number; isFollowed: boolean },
): Promise<FetchedResponse> {
  while (true) {
    const response = await ask(trail, tools, deadlineMs);
    trail.noteTime();
    trail.initialStatus ||= response.status;
    const next = isFollowed ? nextHop(response, trail.url) : null;
    if (next === null) return response;
    if (next === 'nowhere' || trail.redirects.length === redirectsMax) {
      trail.error = next === 'nowhere' ? 'invalid_redirect' : endlessness(trail, next);
      return response;
    }
    response.discard();
    trail.redirects.push({ url: trail.url.href, status: response.status });
    trail.url = permitted(next, tools.policy);
  }
}

/** Asks at one address of the host after the other until a server is met, and has a place only where it tries. */
async function ask(trail: Trail, tools: TrailTools, deadlineMs: number): Promise<FetchedResponse> {
  const { itinerary, signal } = tools;
  if (!itinerary) return fetchAt(trail, tools, { deadlineMs });
  const misses: FetchError[] = [];
  let untried = await itinerary.addressesOf(trail.url, { signal, deadlineMs });
  while (true) {
    const { address, waitedMs } = await itinerary.goTo(trail.url, untried, { signal, deadlineMs });
    trail.waitedMs += waitedMs;
    untried = untried.filter((other) => other !== address);
    try {
      const response = await fetchAt(trail, tools, { deadlineMs, address, isLast: untried.length === 0 });
      itinerary.note(trail.url, address);
      return response;
    } catch (error) {
      if (!(error instanceof FetchError) || !isMiss(error)) throw error;
      misses.push(error);
      const isLate = performance.now() >= deadlineMs + trail.waitedMs;
      if (untried.length === 0 || isLate) throw mostTelling(misses);
    }
  }
}

/** Less would give up on a host that is a continent away before its next address is tried. */
const attemptMs = 3_000;

function fetchAt(
  { url, waitedMs }: Trail,
  { agents, signal, userAgent, bytesMax }: TrailTools,
  { deadlineMs, address, isLast = true }: { deadlineMs: number; address?: ResolvedAddress; isLast?: boolean },
): Promise<FetchedResponse> {
  return fetchOnce(url, {
    agents,
    ...(address && { addresses: [address] }),
    ...(!isLast && { connectMs: attemptMs }),
    ...(bytesMax !== undefined && { bytesMax }),
    signal,
    deadlineMs: deadlineMs + waitedMs,
    headers: headers(userAgent),
  });
}

/** Nobody was met at an address. */
function isMiss({ code }: FetchError): boolean {
  return code === 'connect_refused' || code === 'connect_timeout' || code === 'network_down';
}

/** An address that was reached and refused says more than one to which we had no way. */
function mostTelling(misses: readonly FetchError[]): FetchError | undefined {
  return misses.find(({ code }) => code !== 'network_down') ?? misses[0];
}

// Told only at the end of the way: some sites lead back to an address once and then answer.
function endlessness(trail: Trail, next: URL): 'redirect_loop' | 'too_many_redirects' {
  const asked = [...trail.redirects.map(({ url }) => url), trail.url.href, next.href].map(withoutFragment);
  return new Set(asked).size < asked.length ? 'redirect_loop' : 'too_many_redirects';
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const locationLengthMax = 4096;

/**
 * Null when a response is no redirect, `nowhere` when its target is missing, unreadable or not of the web.
 */
function nextHop(response: FetchedResponse, from: URL): URL | 'nowhere' | null {
  if (!redirectStatuses.has(response.status)) return null;
  const [header, ...others] = response.headers.getAll('location');
  if (header === undefined) return null;
  // Two targets are none, as in browsers; joined with a comma they would make a third.
  if (others.some((other) => other !== header)) return 'nowhere';
  const location = readLocation(header).trim();
  const url = location.length > locationLengthMax ? null : parseUrl(location, from.href);
  if (!url) return 'nowhere';
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : 'nowhere';
}

/**
 * Returns a `Location` as text that asks for the same bytes. Node hands over header bytes as Latin-1. UTF-8
 * stays text, so that a host name can be read; other bytes are percent-encoded, since their charset is unknown.
 */
function readLocation(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return header.replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** What a name resolves to, the agent judges; what an address says of itself is judged here. */
function permitted(url: URL, policy: AddressPolicy): URL {
  const { problem } = parseTarget(url.origin.slice(0, urlLengthMax), policy);
  if (problem) throw new FetchError('target_not_allowed', `redirected to ${url.host}`);
  return url;
}

/** What a browser would say it takes, under our own name. */
function headers(userAgent: string): Record<string, string> {
  return {
    'User-Agent': userAgent,
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Accept-Language': 'en;q=0.8,*;q=0.5',
  };
}
