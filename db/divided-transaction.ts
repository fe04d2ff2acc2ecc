import { deadlines } from '../deadlines.ts';
import { makesAccount, placeOf, type TablePlace } from './places.ts';

/** What a statement is answered; Kysely reads no more of it. */
export interface Answer {
  command: string;
  rowCount: number | null;
  rows: unknown[];
}

/** One connection, as Kysely asks over it. */
export interface Asked {
  query(statement: string, parameters: unknown[]): Promise<Answer>;
}

const patience = `; set local idle_in_transaction_session_timeout = ${deadlines.idleBesideMs}`;

/**
 * A transaction over a data node and the coordinator. It is begun at each when the first statement goes there, and
 * statements wait for those before them at the other one, so that locks are taken in the order in which they are asked
 * for. The node commits first, as under Citus's own transactions, which have no second phase for this either: what dies
 * between the two leaves the rows of the account without what belongs to them at the coordinator, and what repairs that
 * is the same (docs/deployment/citus.md).
 */
export class DividedTransaction {
  readonly #begin: string;
  readonly #at: (place: TablePlace) => Promise<Asked>;
  readonly #onHalf: () => void;
  readonly #begun = new Map<Asked, Promise<unknown>>();
  #place: TablePlace | null = null;
  #before: Promise<unknown> = Promise.resolve();
  #asked: Array<Promise<unknown>> = [];
  #isAtHome = false;
  #hasFailed = false;

  /**
   * `begin`: the statement that begins it; `at` answers the connection for a place, always the same one. `onHalf` is
   * called when the data node has committed and the coordinator has not.
   */
  constructor(begin: string, at: (place: TablePlace) => Promise<Asked>, onHalf: () => void = () => {}) {
    this.#begin = begin;
    this.#at = at;
    this.#onHalf = onHalf;
  }

  /** Sends a statement to its place: at once when those before it went there, and the transaction has begun there. */
  ask(statement: string, parameters: unknown[]): Promise<Answer> {
    // Only there is it seen before the commit, and what belongs to it can be written.
    this.#isAtHome ||= makesAccount(statement);
    const place = this.#isAtHome ? 'local' : placeOf(statement);
    if (place !== this.#place) {
      this.#place = place;
      this.#before = Promise.all(this.#asked);
      this.#asked = [];
    }
    const asked = this.#before
      .then(() => this.#begunAt(place))
      .then((connection) => connection.query(statement, parameters));
    this.#asked.push(
      asked.catch(() => {
        this.#hasFailed = true;
      }),
    );
    return asked;
  }

  /**
   * Ends it wherever it was begun, at the data node first. A commit becomes a rollback, and is answered as one, where a
   * statement has failed anywhere.
   */
  async end(command: 'commit' | 'rollback'): Promise<Answer> {
    await this.#before;
    await Promise.all(this.#asked);
    const home = await this.#at('local');
    const places = [...this.#begun.keys()].toSorted(
      (one, other) => Number(one === home) - Number(other === home),
    );
    let how = this.#hasFailed ? 'rollback' : command;
    let failure = null as { error: unknown } | null;
    const ask = async (place: Asked, statement: string) => {
      try {
        const answer = await place.query(statement, []);
        if (answer.command === 'ROLLBACK') how = 'rollback';
      } catch (error) {
        failure ??= { error };
        how = 'rollback';
      }
    };
    // What the coordinator has ended meanwhile must not be half committed.
    if (places.length > 1 && how === 'commit') await ask(home, 'select');
    for (const place of places) {
      await ask(place, how);
      if (place !== places.at(-1) && how === 'commit') this.#onHalf();
    }
    if (failure) throw failure.error;
    return { command: how.toUpperCase(), rowCount: null, rows: [] };
  }

  /** Waits for the begin, lest a statement that it travels with should stand by itself. */
  async #begunAt(place: TablePlace): Promise<Asked> {
    const connection = await this.#at(place);
    if (!this.#begun.has(connection))
      this.#begun.set(connection, connection.query(this.#begin + patience, []));
    await this.#begun.get(connection);
    return connection;
  }
}
