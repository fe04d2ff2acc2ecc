import { createLog } from '../../log.ts';

/** For code under test: what it says about provoked trouble is of no interest. */
export const silentLog = createLog({ level: 'error', format: 'json' });
silentLog.silent = true;
