import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type IsolationLevel,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely';
import { deadlines } from '../../config/deadlines.ts';

/** Begins a transaction with its time-outs, as one message: poolers refuse start-up options. */
export function beginning(isolationLevel?: IsolationLevel): CompiledQuery {
  const level = isolationLevel ? ` isolation level ${isolationLevel}` : '';
  return CompiledQuery.raw(`begin${level};
    set local lock_timeout = ${deadlines.lockMs};
    set local statement_timeout = ${deadlines.statementMs};
    set local idle_in_transaction_session_timeout = ${deadlines.idleInTransactionMs}`);
}

/**
 * Postgres, where every transaction that may write has time-outs of its own; the idle one frees the locks of a process
 * that was stopped in the middle.
 */
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
    await connection.executeQuery(beginning(settings.isolationLevel));
  }
}
