import { HttpChecker, type HttpCheckerOptions } from '../../checks/http/checker.ts';
import { checkHttpStatus, type HttpStatusInput } from '../../checks/http/http-status.ts';
import { NetworkHealth } from '../../checks/http/network-health.ts';
import { type CheckSlot, CheckSlots } from '../../checks/http/slots.ts';
import { Siblings } from '../../checks/page/findings.ts';
import { createPageThread } from '../../checks/page/page-thread.ts';
import { type AddressPolicy, createAddressPolicy } from '../../net/address.ts';
import { type Agents, createAgents } from '../../net/agent.ts';
import { createResolver, type NameResolver } from '../../net/resolver.ts';

/** Reads pages on the current thread. */
export const runPageTask = createPageThread(Number.POSITIVE_INFINITY).run;

export const allowLoopback = createAddressPolicy(['127.0.0.0/8']);

interface Tools {
  policy?: AddressPolicy;
  resolver?: NameResolver;
  /** Default: new ones, which are closed after the check. */
  agents?: Agents;
  userAgent?: string;
  timeoutMs?: number;
}

/** Checks one URL outside of a checker, in a slot of its own. */
export async function checkTarget(url: string, tools: Tools = {}, input: Partial<HttpStatusInput> = {}) {
  const { policy = allowLoopback, resolver = createResolver() } = tools;
  const { agents = createAgents({ policy, resolver }), userAgent = 'test', timeoutMs = 60_000 } = tools;
  const { signal } = new AbortController();
  const slot = await takeSlot(new CheckSlots({ limit: 1, hostLimit: 1 }));
  return checkHttpStatus(
    { url: new URL(url), followRedirects: true, userAgent: 'sonde', ...input },
    {
      ...{ policy, agents, accountId: 1, siblings: new Siblings(), userAgent, timeoutMs, signal },
      runPageTask,
      target: { slot, resolver, lastAddresses: new Map() },
    },
  ).finally(() => (tools.agents ? undefined : agents.close()));
}

/** Creates a checker that may contact loopback. */
export function createTestChecker(options: Partial<HttpCheckerOptions> = {}): HttpChecker {
  return new HttpChecker({
    policy: allowLoopback,
    resolver: createResolver([]),
    slots: new CheckSlots({ limit: 10, hostLimit: 10 }),
    health: new NetworkHealth(async () => false),
    runPageTask,
    userAgent: 'test',
    timeoutMs: 60_000,
    ...options,
  });
}

/** Takes a slot that is free. */
export async function takeSlot(
  slots: CheckSlots,
  accountId = 1,
  host: string | null = null,
): Promise<CheckSlot> {
  const slot = await slots.acquire({ accountId, host, signal: new AbortController().signal });
  if (!slot) throw new Error('no slot');
  return slot;
}
