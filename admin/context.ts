import type { Config } from '../config/config.ts';
import type { Connection } from '../db/postgres/connect.ts';
import type { SecretPrompt } from './secrets.ts';

export interface AdminContext extends Connection {
  config: Config;
  prompt: SecretPrompt;
  /** Makes the command exit with 1. The command still prints its result. */
  setFailed(): void;
}

/** Runs a command against the database and prints its result. */
export type RunCommand = (command: (context: AdminContext) => Promise<unknown>) => Promise<void>;
