import type { Log } from '../process/log.ts';
import type { ChoreReports } from './chores.ts';

/** Logs the results of chores. Does not log a result if no work was done. */
export function createReports(log: Log): ChoreReports {
  return {
    swept: (swept) => {
      if (Object.values(swept).some((count) => count > 0))
        log.warn('The sweep repaired orphaned work', { ...swept });
    },
    verified: (faults) => {
      if (faults.length > 0) log.error('Ledger verification found faults', { faults });
    },
    partitioned: (names) => {
      if (names.length > 0) log.info('Partitions created', { names });
    },
    purged: (purged) => {
      if (Object.values(purged).some((count) => count > 0))
        log.info('Expired records were deleted', { ...purged });
    },
    renewed: (accounts) => {
      if (accounts > 0) log.info('Secrets were re-encrypted with the new SECRET_KEY', { accounts });
    },
    monitored: (work) => {
      if (work.sweptRuns > 0 || work.late > 0) log.warn('Monitor runs were late or orphaned', { ...work });
    },
    failed: (error) => log.warn('A chore failed and will be retried', { error }),
  };
}
