import { Writable } from 'node:stream';
import winston from 'winston';
import { createLog, type Log } from '../../process/log.ts';

/** For code under test: what it says about provoked trouble is of no interest. */
export const silentLog = createLog({ level: 'error', format: 'json' });
silentLog.silent = true;

/** A log like production's, down to its most talkative level, whose lines are kept instead of printed. */
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
