import type { AddressPolicy } from '../../net/address.ts';
import { type Agents, createAgents } from '../../net/agent.ts';
import type { NameResolver } from '../../net/resolver.ts';

interface AgentOptions {
  policy: AddressPolicy;
  resolver: NameResolver;
}

interface Shared {
  agents: Agents;
  borrowers: number;
  /** Ends them when nobody borrows them any more. */
  lingering: NodeJS.Timeout | undefined;
}

// From one chunk of a list to the next.
const lingerMs = 1_000;

/** Connections that the series of one account share, one after the other, too; never with another account's. */
export class SharedAgents {
  readonly #options: AgentOptions;
  readonly #byAccount = new Map<number, Shared>();

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** An account's agents; `close` gives them back, once. */
  borrow(accountId: number): Agents {
    const shared = this.#byAccount.get(accountId) ?? {
      agents: createAgents({ ...this.#options, keepAlive: true }),
      borrowers: 0,
      lingering: undefined,
    };
    clearTimeout(shared.lingering);
    this.#byAccount.set(accountId, shared);
    shared.borrowers += 1;
    let isBorrowed = true;
    return {
      ...shared.agents,
      close: () => {
        if (isBorrowed) this.#giveBack(accountId, shared);
        isBorrowed = false;
      },
    };
  }

  #giveBack(accountId: number, shared: Shared): void {
    shared.borrowers -= 1;
    if (shared.borrowers > 0) return;
    shared.lingering = setTimeout(() => {
      this.#byAccount.delete(accountId);
      shared.agents.close();
    }, lingerMs).unref();
  }
}
