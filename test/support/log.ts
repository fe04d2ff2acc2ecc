import { Writable } from 'node:stream';
import winston from 'winston';
import { createLog, type Log } from '../../process/log.ts';

/** Drops all lines, for tests that provoke errors. */
export const silentLog = createLog({ level: 'error', format: 'json' });
silentLog.silent = true;

/** Creates a log that keeps its lines, of all levels, instead of printing them. */
export function captureLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line));
      done();
    },
  });
  const log = createLog({ level: 'silly', format: 'json' });
  log.clear().add(new winston.transports.Stream({ stream }));
  return { log, lines };
}
