/** Runs a process that kills itself at the nth pass of a fail point: `node faulty.ts worker after_fetch 3`. */
import { readConfig } from '../../config/config.ts';
import { createLog } from '../../process/log.ts';
import { stopOnSignals } from '../../process/process.ts';

const [kind, point, nth = '1'] = process.argv.slice(2);
const config = readConfig(process.env);
const log = createLog(config.log);
let passes = 0;

// Imports one of the two only: the modules of web take longer to load than all that a worker does.
const start =
  kind === 'web'
    ? (await import('../../server/main.ts')).startWeb
    : (await import('../../worker/main.ts')).startWorker;
const running = await start(config, log, (passed) => {
  if (passed !== point) return;
  passes += 1;
  if (passes === Number(nth)) process.kill(process.pid, 'SIGKILL');
});
stopOnSignals(running, log);
process.stdout.write(`ready ${'port' in running ? String(running.port) : ''}\n`);
