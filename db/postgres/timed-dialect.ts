import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely';
import { deadlines } from '../../config/deadlines.ts';

/** Sets time-outs for every transaction that may write. The idle one frees the locks of a process that was stopped. */
export class TimedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new TimedDriver(this.#config);
  }
}

class TimedDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: Parameters<PostgresDriver['beginTransaction']>[1],
  ): Promise<void> {
    if (settings.accessMode === 'read only') return super.beginTransaction(connection, settings);
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : '';
    // As one message, and not as start-up options, which poolers refuse.
    const begin = CompiledQuery.raw(`begin${level};
      set local lock_timeout = ${deadlines.lockMs};
      set local statement_timeout = ${deadlines.statementMs};
      set local idle_in_transaction_session_timeout = ${deadlines.idleInTransactionMs}`);
    await connection.executeQuery(begin);
  }
}
