import type { TargetTools } from '../../checks/http/redirects.ts';
import { CheckSlots } from '../../checks/http/slots.ts';
import { createResolver, type NameResolver } from '../../net/resolver.ts';

/** Returns what one check needs to request targets, with a slot that nobody else wants. */
export async function targetTools(resolver: NameResolver = createResolver()): Promise<TargetTools> {
  const slots = new CheckSlots({ limit: 1, hostLimit: 1 });
  const { signal } = new AbortController();
  const slot = await slots.take({ accountId: 1, host: null, signal });
  if (!slot) throw new Error('no slot');
  return { slot, resolver, lastAddresses: new Map() };
}
