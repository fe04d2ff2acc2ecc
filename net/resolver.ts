import { Resolver } from 'node:dns/promises';
import { FetchError } from './fetch-error.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Resolves names to at least one address, IPv4 first. Rejects with FetchError `dns_not_found` or `dns_failed`. */
export interface NameResolver {
  resolve(name: string): Promise<ResolvedAddress[]>;
}

const entriesMax = 10_000;
const ttlMaxSeconds = 60;
const notFoundTtlSeconds = 10;
// Maximum time of a query. If three servers do not answer, the retries of Node take 18 s, which is longer than a check.
// After 7 s, each server has been asked once.
const answerWithinMs = 7_000;

interface Entry {
  answer: Promise<ResolvedAddress[]>;
  expiresAt: number;
}

/**
 * Creates a resolver that queries the given DNS servers. Default: the system's servers. The resolver caches up to
 * 10,000 names for their TTL, at most a minute. Failures of a server are not cached. The resolver does not occupy
 * Node's four worker threads, which file access and ciphers need. `localhost` and `.invalid` need no query (RFC 6761).
 */
export function createResolver(servers: readonly string[] = []): NameResolver {
  const dns = new Resolver({ timeout: 2000, tries: 2 });
  if (servers.length > 0) dns.setServers([...servers]);
  const cache = new Map<string, Entry>();

  const store = (name: string, answer: Promise<ResolvedAddress[]>): void => {
    cache.delete(name);
    const oldest = cache.keys().next();
    if (cache.size >= entriesMax && !oldest.done) cache.delete(oldest.value);
    cache.set(name, { answer, expiresAt: Number.POSITIVE_INFINITY });
  };
  const expire = (name: string, seconds: number): void => {
    const entry = cache.get(name);
    if (entry && seconds > 0) entry.expiresAt = Date.now() + seconds * 1000;
    else cache.delete(name);
  };

  return {
    resolve: (hostname) => {
      const name = hostname.toLowerCase().replace(/\.$/, '');
      const special = specialName(name);
      if (special) return special;
      const known = cache.get(name);
      if (known && known.expiresAt > Date.now()) return known.answer;
      const asked = withTimeout(query(dns, name), name);
      const answer = asked.then(({ addresses }) => addresses);
      store(name, answer);
      answer.catch(() => {});
      asked.then(
        ({ ttlSeconds }) => expire(name, Math.min(ttlSeconds, ttlMaxSeconds)),
        (error) => expire(name, error.code === 'dns_not_found' ? notFoundTtlSeconds : 0),
      );
      return answer;
    },
  };
}

function specialName(name: string): Promise<ResolvedAddress[]> | null {
  if (name === 'localhost' || name.endsWith('.localhost')) {
    return Promise.resolve([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  }
  if (name === 'invalid' || name.endsWith('.invalid')) {
    return Promise.reject(new FetchError('dns_not_found', `${name} cannot exist`));
  }
  return null;
}

function withTimeout<T>(asked: Promise<T>, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeout = new FetchError('dns_failed', `no resolver answered for ${name} in time`);
    const timer = setTimeout(() => reject(timeout), answerWithinMs);
    asked.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

interface Answer {
  addresses: ResolvedAddress[];
  ttlSeconds: number;
}

async function query(dns: Resolver, name: string): Promise<Answer> {
  const [four, six] = await Promise.allSettled([
    dns.resolve4(name, { ttl: true }),
    dns.resolve6(name, { ttl: true }),
  ]);
  const records = [
    ...(four.status === 'fulfilled' ? four.value.map((record) => ({ ...record, family: 4 as const })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((record) => ({ ...record, family: 6 as const })) : []),
  ];
  if (records.length > 0) {
    return {
      addresses: records.map(({ address, family }) => ({ address, family })),
      ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
    };
  }
  const reasons = [four, six].map((result) => (result.status === 'rejected' ? result.reason : null));
  const failed = reasons.find((reason) => !isNotFound(reason));
  if (failed) throw new FetchError('dns_failed', `the resolver failed for ${name}`, { cause: failed });
  throw new FetchError('dns_not_found', `${name} has no address`, { cause: reasons[0] });
}

// Returns true for NXDOMAIN, an empty answer, or a name that is invalid in DNS. Any other code is a failure of the
// resolver.
function isNotFound(reason: { code?: string } | null): boolean {
  return ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(reason?.code ?? '');
}
