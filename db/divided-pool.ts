import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { type Answer, type Asked, DividedTransaction } from './divided-transaction.ts';
import { placeOf, type TablePlace } from './places.ts';
import { isDatabaseTrouble } from './trouble.ts';

type Client = Asked & { release(): void };

/** Where the connections for a client of both are. */
interface Nodes {
  home: Client;
  /** A connection to the data node; null while that is away, when the coordinator does what it would. */
  openNode(): Promise<Client | null>;
  onHalf?: () => void;
}

const lookEveryMs = 1000;

/**
 * A pool over two for a process that is connected to a data node of a cluster, and to its coordinator for what is there
 * alone: a statement goes to where its tables are. Whoever has a connection has one at the coordinator, and one at the
 * node from the first statement that is for it; each pool has as many as may be held at once. `tell` hears when the
 * node goes away, by a connection or a statement: until it is back, which is looked for each second, the coordinator is
 * asked everything. What else is wrong with a connection, such as a password, is an error of whoever asks. `onHalf`: as
 * of DividedTransaction.
 */
export function dividedPool(
  home: PostgresPool,
  node: PostgresPool,
  tell: (error: Error) => void,
  onHalf?: () => void,
): PostgresPool {
  let looking: NodeJS.Timeout | null = null;
  let hasEnded = false;
  const look = async () => {
    if (await isBack(node)) looking = null;
    else lookLater();
  };
  const lookLater = () => {
    if (!hasEnded) looking = setTimeout(look, lookEveryMs).unref();
  };
  const noteTrouble = (error: unknown) => {
    if (looking || !isDatabaseTrouble(error)) return;
    tell(error as Error);
    lookLater();
  };
  const openNode = async () => {
    if (looking) return null;
    try {
      return reporting(asClient(await node.connect()), noteTrouble);
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error;
      noteTrouble(error);
      return null;
    }
  };
  return {
    options: home.options,
    connect: async () => new DividedClient({ home: asClient(await home.connect()), openNode, onHalf }),
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
    this.#node?.then(
      (node) => node?.release(),
      () => {},
    );
  }

  async #ask(statement: string, parameters: unknown[]): Promise<Answer> {
    if (/^(begin|start transaction)\b/.test(statement)) {
      const at = (place: TablePlace) => this.#at(place);
      this.#transaction = new DividedTransaction(statement, at, this.#nodes.onHalf);
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

/** Tells of what a statement meets, too: a standby and a silent server still take connections. */
function reporting(client: Client, tell: (error: unknown) => void): Client {
  return {
    query: async (statement, parameters) => {
      try {
        return await client.query(statement, parameters);
      } catch (error) {
        tell(error);
        throw error;
      }
    },
    release: () => client.release(),
  };
}

/** Whether it can be written to again. */
async function isBack(node: PostgresPool): Promise<boolean> {
  try {
    const client = asClient(await node.connect());
    const { rows } = await client
      .query(`select current_setting('transaction_read_only') as "isReadOnly"`, [])
      .finally(() => client.release());
    return (rows[0] as { isReadOnly: string }).isReadOnly === 'off';
  } catch {
    return false;
  }
}

function asClient(client: PostgresPoolClient): Client {
  return client as unknown as Client;
}
