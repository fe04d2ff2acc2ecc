import { type Agents, createAgents } from '../../net/agent.ts';
import type { HttpCheckerOptions } from './series.ts';

interface Shared {
  agents: Agents;
  borrowers: number;
}

/** Connections that the series of one account share as long as one of them is open; never with another account's. */
export class SharedAgents {
  readonly #options: Pick<HttpCheckerOptions, 'policy' | 'resolver'>;
  readonly #byAccount = new Map<number, Shared>();

  constructor(options: Pick<HttpCheckerOptions, 'policy' | 'resolver'>) {
    this.#options = options;
  }

  /** An account's agents; `close` gives them back, once. */
  borrow(accountId: number): Agents {
    const shared = this.#byAccount.get(accountId) ?? {
      agents: createAgents({ ...this.#options, keepAlive: true }),
      borrowers: 0,
    };
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
    this.#byAccount.delete(accountId);
    shared.agents.close();
  }
}
