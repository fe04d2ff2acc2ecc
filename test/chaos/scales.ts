import type { Scale } from './plan.ts';

/** The size of `npm run chaos`: a hundred killed workers, each fail point ten times, every fault of the database. */
export const long: Scale = {
  slots: { worker: 4, web: 1 },
  steady: { worker: 2, web: 2 },
  workerFates: {
    kill: 50,
    after_fetch: 10,
    before_recording: 10,
    while_finishing: 10,
    before_completion: 10,
    after_delivery: 10,
    term: 10,
    freeze: 3,
  },
  webFates: { kill: 10, after_charge: 10, before_answer: 10, term: 10 },
  killAfterMs: [300, 4000],
  busyDeathsMin: 60,
  databaseFaults: [
    { kind: 'connections cut' },
    { kind: 'connections cut' },
    { kind: 'stopped immediately', forMs: 5000 },
    { kind: 'stopped immediately', forMs: 1000 },
    { kind: 'unreachable', forMs: 60_000 },
    { kind: 'half-open' },
    { kind: 'connection limit reached', forMs: 10_000 },
    { kind: 'read-only', forMs: 5000 },
  ],
  isHasty: false,
  customers: 5,
  types: ['http', 'http', 'index', 'keyword'],
  singleLanes: 1,
  openBatchesMax: 3,
  batchesMax: 2000,
  batchSize: [5, 120],
  hasWalledInWorker: true,
  freezeWebMs: 60_000,
  resumedMaxMs: 30_000,
  timeoutMs: 15 * 60_000,
};

/** A small run for the test suite; flows/dying-processes.test.ts has the other fail points. */
export const short: Scale = {
  ...long,
  slots: { worker: 2, web: 1 },
  steady: { worker: 1, web: 1 },
  workerFates: {
    kill: 1,
    after_fetch: 0,
    before_recording: 0,
    while_finishing: 0,
    before_completion: 0,
    after_delivery: 1,
    term: 0,
    freeze: 0,
  },
  // This run sends a SIGTERM to a frozen web process at the beginning, and to every process at the end.
  webFates: { kill: 0, after_charge: 0, before_answer: 1, term: 0 },
  killAfterMs: [200, 500],
  busyDeathsMin: 0,
  databaseFaults: [{ kind: 'connections cut' }, { kind: 'stopped immediately', forMs: 200 }],
  isHasty: true,
  customers: 2,
  singleLanes: 1,
  openBatchesMax: 1,
  batchesMax: 300,
  batchSize: [5, 15],
  hasWalledInWorker: false,
  freezeWebMs: null,
  // The suite shares its machine, so lateness is not a violation here.
  resumedMaxMs: 60_000,
  timeoutMs: 5 * 60_000,
};

/** Returns the same scale for a cluster. Data nodes are also stopped. */
export function onCluster(scale: Scale): Scale {
  const kind = 'a data node stopped immediately';
  const more = [1, 2].map((node) => ({ kind, node, forMs: 8000 }) as const);
  return {
    ...scale,
    databaseFaults: [...scale.databaseFaults, ...more],
    timeoutMs: scale.timeoutMs * 2,
  };
}
