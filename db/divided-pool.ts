import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { type Answer, type Asked, DividedTransaction } from './divided-transaction.ts';
import { placeOf, type TablePlace } from './places.ts';

type Client = Asked & { release(): void };

/** Where the connections for a client of both are. */
interface Nodes {
  home: Client;
  /** A connection to the data node; null while that is away, when the coordinator does what it would. */
  openNode(): Promise<Client | null>;
}

const lookEveryMs = 1000;

/**
 * A pool over two for a process that is connected to a data node of a cluster, and to its coordinator for what is there
 * alone: a statement goes to where its tables are. Whoever has a connection has one at the coordinator, and one at the
 * node from the first statement that is for it; each pool has as many as may be held at once. `tell` hears when the
 * node goes away: until it is back, which is looked for each second, the coordinator is asked everything.
 */
export function dividedPool(
  home: PostgresPool,
  node: PostgresPool,
  tell: (error: Error) => void,
): PostgresPool {
  let looking: NodeJS.Timeout | null = null;
  let hasEnded = false;
  const look = async () => {
    try {
      (await node.connect()).release();
      looking = null;
    } catch {
      lookLater();
    }
  };
  const lookLater = () => {
    if (!hasEnded) looking = setTimeout(look, lookEveryMs).unref();
  };
  const openNode = async () => {
    if (looking) return null;
    try {
      return asClient(await node.connect());
    } catch (error) {
      tell(error as Error);
      if (!looking) lookLater();
      return null;
    }
  };
  return {
    options: home.options,
    connect: async () => new DividedClient({ home: asClient(await home.connect()), openNode }),
    end: async () => {
      hasEnded = true;
      if (looking) clearTimeout(looking);
      await Promise.all([home.end(), node.end()]);
    },
  };
}

class DividedClient {
  readonly #nodes: Nodes;
  #node: Promise<Client | null> | null = null;
  #transaction: DividedTransaction | null = null;

  constructor(nodes: Nodes) {
    this.#nodes = nodes;
  }

  // Kysely's other form is for cursors, which it was not given.
  readonly query = ((statement: string, parameters: unknown[]) =>
    this.#ask(statement, parameters)) as unknown as PostgresPoolClient['query'];

  release(): void {
    this.#nodes.home.release();
    this.#node?.then((node) => node?.release());
  }

  async #ask(statement: string, parameters: unknown[]): Promise<Answer> {
    if (/^(begin|start transaction)\b/.test(statement)) {
      this.#transaction = new DividedTransaction(statement, (place) => this.#at(place));
      return { command: 'BEGIN', rowCount: null, rows: [] };
    }
    const transaction = this.#transaction;
    if (!transaction) return (await this.#at(placeOf(statement))).query(statement, parameters);
    if (statement !== 'commit' && statement !== 'rollback') return transaction.ask(statement, parameters);
    this.#transaction = null;
    return transaction.end(statement);
  }

  async #at(place: TablePlace): Promise<Asked> {
    const { home, openNode } = this.#nodes;
    if (place === 'local') return home;
    this.#node ??= openNode();
    return (await this.#node) ?? home;
  }
}

function asClient(client: PostgresPoolClient): Client {
  return client as unknown as Client;
}
