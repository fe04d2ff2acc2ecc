import { readDatabaseConfig, readLogConfig } from './config/config.ts';
import { migrate } from './db/migrate.ts';
import { createLog } from './process/log.ts';
import { exitOnConfigError } from './process/process.ts';

await exitOnConfigError(() =>
  migrate(readDatabaseConfig(process.env), createLog(readLogConfig(process.env))),
);
