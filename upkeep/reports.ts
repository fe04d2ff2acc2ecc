import type { Log } from '../process/log.ts';
import type { ChoreReports } from './chores.ts';

/** Chores that found something to do say so in the log; a quiet round says nothing. */
export function reportsTo(log: Log): ChoreReports {
  return {
    swept: (swept) => {
      if (Object.values(swept).some((count) => count > 0))
        log.warn('The sweep put something right', { ...swept });
    },
    verified: (faults) => {
      if (faults.length > 0) log.error('The ledger does not add up', { faults });
    },
    partitioned: (names) => {
      if (names.length > 0) log.info('Partitions were made for what comes next', { names });
    },
    purged: (purged) => {
      if (Object.values(purged).some((count) => count > 0))
        log.info('Old records were purged', { ...purged });
    },
    renewed: (accounts) => {
      if (accounts > 0) log.info('Secrets were sealed with the new SECRET_KEY', { accounts });
    },
    monitored: (work) => {
      if (work.sweptRuns > 0 || work.late > 0) log.warn('Monitors were late or left behind', { ...work });
    },
    failed: (error) => log.warn('A chore failed and will be done next time', { error }),
  };
}
