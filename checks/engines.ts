import { type AddressPolicy, createAddressPolicy } from '../net/address.ts';
import { createReach, endpointOf } from '../net/reach.ts';
import { createResolver, type NameResolver } from '../net/resolver.ts';
import type { CheckType } from '../schemas/check-types.ts';
import type { Engine, EngineTable } from './engine.ts';
import { HttpChecker } from './http/checker.ts';
import { type Canary, createCanary, NetworkHealth } from './http/network-health.ts';
import { CheckSlots } from './http/slots.ts';
import { createInvented, type Invented } from './invented/engines.ts';
import type { PageTaskRunner } from './page/page-task.ts';
import { indexEngine, rankEngine } from './search/engines.ts';
import { addressOfFirst, createProviders, type ProviderChoice } from './search/registry.ts';
import { type ProviderGate, Search } from './search/search.ts';
import { createDocumentThread, type DocumentThread } from './sitemap/document-thread.ts';

/** What a process needs to make checks; web and worker alike. */
export interface Engines {
  /** By type of check. */
  engines: EngineTable;
  http: HttpChecker;
  search: Search;
  /** Where sitemaps are read; closed by the process. */
  documents: DocumentThread;
  /** Those of test tokens: nobody outside is asked. */
  invented: Invented;
  /** Of the process; a search takes one too, though it asks no target's host. */
  slots: CheckSlots;
  /**
   * Which addresses may be contacted, and by what their names are resolved; for targets and receivers alike.
   */
  policy: AddressPolicy;
  resolver: NameResolver;
}

export interface EngineSettings {
  checks: {
    /** For one check. */
    timeoutMs: number;
    /** Checks in flight in this process, and of those at one target host. */
    concurrency: number;
    hostConcurrency: number;
    userAgent: string;
    allowCidrs: string[];
    dnsServers: string[];
    /** What is reached as long as our network is well; null for the first provider, or else the database. */
    canaryUrl: string | null;
  };
  database: { url: string };
  providers: ProviderChoice & { reuseSeconds: number };
}

/**
 * The engines of one process. `gate`: what keeps all processes together to what a provider allows. `runPageTask`: where
 * pages are read, on the event loop unless told otherwise. Errors: `OperatorError` when there is no search provider.
 */
export function createEngines(
  settings: EngineSettings,
  { gate, runPageTask }: { gate: ProviderGate; runPageTask?: PageTaskRunner },
): Engines {
  const { checks, providers } = settings;
  const policy = createAddressPolicy(checks.allowCidrs);
  const resolver = createResolver(checks.dnsServers);
  const slots = new CheckSlots({ limit: checks.concurrency, hostLimit: checks.hostConcurrency });
  const { userAgent, timeoutMs } = checks;
  const outside = checks.canaryUrl ?? addressOfFirst(providers);
  const canary = canaryOf(outside ?? settings.database.url);
  const health = new NetworkHealth(canary, { isOutside: outside !== null });
  const http = new HttpChecker({ policy, resolver, slots, health, userAgent, runPageTask, timeoutMs });
  const search = new Search({
    providers: createProviders(providers),
    gate,
    reuseSeconds: providers.reuseSeconds,
  });
  return {
    engines: enginesOf({ http, search, slots }),
    http,
    search,
    documents: createDocumentThread(),
    invented: createInvented(),
    slots,
    policy,
    resolver,
  };
}

const canaryTimeoutMs = 2_000;

/** A database on a Unix socket says nothing of a network: then it is taken to be well. */
function canaryOf(address: string): Canary {
  const endpoint = endpointOf(address);
  return endpoint ? createCanary(createReach(endpoint, canaryTimeoutMs)) : async () => true;
}

/** What an engine may be made of. */
export type EngineParts = Pick<Engines, 'http' | 'search' | 'slots'>;

/** How the engine of each type is made. */
export const engineMakers: { [T in CheckType]: (parts: EngineParts) => Engine<T> } = {
  index: ({ search, slots }) => indexEngine(search, slots),
  http: ({ http }) => http,
  keyword: ({ search, slots }) => rankEngine(search, slots),
};

function enginesOf(parts: EngineParts): EngineTable {
  const made = Object.entries(engineMakers).map(([type, make]) => [type, make(parts)]);
  return Object.fromEntries(made) as EngineTable;
}
