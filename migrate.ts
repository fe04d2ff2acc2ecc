import { readDatabaseConfig, readLogConfig } from './config/config.ts';
import { migrate } from './db/migrate.ts';
import { createLog } from './process/log.ts';
import { exitOnOperatorError } from './process/process.ts';

await exitOnOperatorError(() =>
  migrate(readDatabaseConfig(process.env), createLog(readLogConfig(process.env))),
);
