import { NetworkHealth } from './checks/http/network-health.ts';
import { CheckSlots } from './checks/http/slots.ts';
import { createProviders } from './checks/search/registry.ts';
import { Search } from './checks/search/search.ts';
import type { Config } from './config.ts';
import type { Db } from './db/connect.ts';
import { ProviderGate } from './db/provider-leases.ts';
import { type AddressPolicy, createAddressPolicy } from './net/address.ts';
import { createResolver, type NameResolver } from './net/resolver.ts';

/** What a process needs to make checks; web and worker alike. */
export interface Engines {
  policy: AddressPolicy;
  resolver: NameResolver;
  slots: CheckSlots;
  health: NetworkHealth;
  search: Search;
}

/** Errors: `OperatorError` when there is no search provider. */
export function createEngines({ checks, providers }: Config, db: Db): Engines {
  const { concurrency, dailyLimit, timeoutMs, reuseSeconds } = providers;
  const leaseSeconds = Math.ceil(timeoutMs / 1000) + 10;
  return {
    policy: createAddressPolicy(checks.allowCidrs),
    resolver: createResolver(checks.dnsServers),
    slots: new CheckSlots({ limit: checks.concurrency, hostLimit: checks.hostConcurrency }),
    health: new NetworkHealth(),
    search: new Search({
      providers: createProviders(providers),
      gate: new ProviderGate(db, { concurrency, dailyLimit, leaseSeconds }),
      reuseSeconds,
    }),
  };
}
