import { type AddressPolicy, createAddressPolicy } from '../net/address.ts';
import { createReachabilityCheck, parseEndpoint } from '../net/reachability.ts';
import { createResolver, type NameResolver } from '../net/resolver.ts';
import type { CheckType } from '../schemas/check-types.ts';
import type { Engine, EngineTable } from './engine.ts';
import { HttpChecker } from './http/checker.ts';
import { type Canary, createCanary, NetworkHealth } from './http/network-health.ts';
import { CheckSlots } from './http/slots.ts';
import type { PageTaskRunner } from './page/page-task.ts';
import { createIndexEngine, createRankEngine } from './search/engines.ts';
import { sandbox } from './search/providers/sandbox.ts';
import { createProviders, getFirstProviderUrl, type ProviderChoice } from './search/registry.ts';
import { type ProviderGate, Search } from './search/search.ts';
import { createSimulatedHttpEngine } from './simulated/http.ts';
import { createDocumentThreads, type DocumentThreads } from './sitemap/document-thread.ts';

/** Engines for test tokens. They send no requests, and mark each answer as simulated. */
interface SimulatedEngines {
  engines: EngineTable;
  search: Search;
}

/** Everything that a web or worker process needs to make checks. */
export interface Engines {
  engines: EngineTable;
  http: HttpChecker;
  search: Search;
  /** Threads that read documents. The process must close them. */
  documents: DocumentThreads;
  simulated: SimulatedEngines;
  /** Check slots of the process, also for searches. */
  slots: CheckSlots;
  /** Addresses that may be contacted as targets and webhook receivers. */
  policy: AddressPolicy;
  resolver: NameResolver;
}

export interface CheckSettings {
  timeoutMs: number;
  /** Maximum of checks in flight in one process. */
  concurrency: number;
  /** Maximum of checks in flight at one target host. */
  hostConcurrency: number;
  userAgent: string;
  /** Private IP ranges that checks may contact, as CIDRs. */
  allowCidrs: string[];
  /** IP addresses of the DNS servers for target names, with or without a port. If empty, the system's are used. */
  dnsServers: string[];
  /**
   * URL whose host is contacted to test our own network. If null, the host of the first search provider is contacted.
   * The provider `sandbox` has no host, so the host of the database is contacted instead.
   */
  canaryUrl: string | null;
}

interface EngineSettings {
  checks: CheckSettings;
  database: { url: string };
  providers: ProviderChoice & { reuseSeconds: number };
}

/**
 * Creates the engines of one process. `gate` limits the provider calls of all processes. Throws OperatorError if no
 * search provider is configured.
 */
export function createEngines(
  settings: EngineSettings,
  { gate, runPageTask }: { gate: ProviderGate; runPageTask: PageTaskRunner },
): Engines {
  const { checks, providers } = settings;
  const policy = createAddressPolicy(checks.allowCidrs);
  const resolver = createResolver(checks.dnsServers);
  const slots = new CheckSlots({ limit: checks.concurrency, hostLimit: checks.hostConcurrency });
  const { userAgent, timeoutMs } = checks;
  const outside = checks.canaryUrl ?? getFirstProviderUrl(providers);
  const canary = createCanaryFor(outside ?? settings.database.url);
  const health = new NetworkHealth(canary, { isOutside: outside !== null });
  const http = new HttpChecker({ policy, resolver, slots, health, userAgent, runPageTask, timeoutMs });
  const search = new Search({
    providers: createProviders(providers),
    gate,
    reuseSeconds: providers.reuseSeconds,
  });
  return {
    engines: createEngineTable({ http, search, slots }),
    http,
    search,
    documents: createDocumentThreads(),
    simulated: createSimulatedEngines(),
    slots,
    policy,
    resolver,
  };
}

const canaryTimeoutMs = 2_000;

/** A database on a Unix socket cannot show whether the network works. In this case, the network counts as working. */
function createCanaryFor(address: string): Canary {
  const endpoint = parseEndpoint(address);
  return endpoint ? createCanary(createReachabilityCheck(endpoint, canaryTimeoutMs)) : async () => true;
}

/** The sandbox asks no provider. Its calls are neither limited nor counted. */
const openGate: ProviderGate = {
  acquire: async () => ({ release: () => {} }),
  countCall: async () => true,
  countPages: () => {},
  countAnswer: () => {},
};

/** Equals the default limit of real checks. Simulated checks have their own slots. */
const simulatedChecksMax = 100;

function createSimulatedEngines(): SimulatedEngines {
  const search = new Search({ providers: [sandbox.create({}, 0)], gate: openGate, reuseSeconds: 0 });
  const slots = new CheckSlots({ limit: simulatedChecksMax, hostLimit: 1 });
  const http = createSimulatedHttpEngine(slots);
  return { engines: createEngineTable({ http, search, slots }), search };
}

export type EngineDeps = Pick<Engines, 'search' | 'slots'> & { http: Engine<'http'> };

export const engineFactories: { [T in CheckType]: (parts: EngineDeps) => Engine<T> } = {
  index: ({ search, slots }) => createIndexEngine(search, slots),
  http: ({ http }) => http,
  keyword: ({ search, slots }) => createRankEngine(search, slots),
};

function createEngineTable(parts: EngineDeps): EngineTable {
  const made = Object.entries(engineFactories).map(([type, make]) => [type, make(parts)]);
  return Object.fromEntries(made) as EngineTable;
}
