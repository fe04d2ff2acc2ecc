import { readDatabaseConfig, readLogConfig } from './config.ts';
import { migrate } from './db/migrate.ts';
import { createLog } from './log.ts';
import { exitOnConfigError } from './process.ts';

await exitOnConfigError(() =>
  migrate(readDatabaseConfig(process.env), createLog(readLogConfig(process.env))),
);
