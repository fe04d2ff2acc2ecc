import { type AgentOptions, type Agents, createAgents } from '../../net/agent.ts';

interface Shared {
  agents: Agents;
  users: number;
  closeTimer: NodeJS.Timeout | undefined;
}

const idleMs = 1_000;

/** Connections that the chunks of one account share. Different accounts never share connections. */
export class SharedAgents {
  readonly #options: AgentOptions;
  readonly #byAccount = new Map<number, Shared>();

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** Returns an account's agents. `close` ends this use. A second after the last use, their connections are closed. */
  borrow(accountId: number): Agents {
    const shared = this.#byAccount.get(accountId) ?? {
      agents: createAgents({ ...this.#options, keepAlive: true }),
      users: 0,
      closeTimer: undefined,
    };
    clearTimeout(shared.closeTimer);
    this.#byAccount.set(accountId, shared);
    shared.users += 1;
    let isInUse = true;
    return {
      ...shared.agents,
      close: () => {
        if (isInUse) this.#release(accountId, shared);
        isInUse = false;
      },
    };
  }

  #release(accountId: number, shared: Shared): void {
    shared.users -= 1;
    if (shared.users > 0) return;
    shared.closeTimer = setTimeout(() => {
      this.#byAccount.delete(accountId);
      shared.agents.close();
    }, idleMs).unref();
  }
}
