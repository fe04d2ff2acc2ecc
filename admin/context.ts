import type { Config } from '../config/config.ts';
import type { Connection } from '../db/postgres/connect.ts';
import type { SecretSource } from './secrets.ts';

/** What a command borrows: settings, and the database while it runs. */
export interface AdminContext extends Connection {
  config: Config;
  /** Where a secret is asked for. */
  asking: SecretSource;
  /** The command ends with 1, although it has an answer. */
  fail(): void;
}

export type Act = (context: AdminContext) => Promise<unknown>;
/** Runs a command against the database and prints what it answers. */
export type Run = (act: Act) => Promise<void>;
