import type { FailPoint } from '../../process/fail-point.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import { Random } from '../support/random.ts';

/** The end of a process, or an interruption of it. */
export type Fate =
  /**
   * SIGKILL by the run, this long after the process is ready. A worker is killed as soon as it then has checks in
   * flight, at the latest after 15 s.
   */
  | { by: 'kill'; afterMs: number }
  /** SIGKILL by itself when it passes a fail point for the nth time. */
  | { by: FailPoint; nth: number }
  /** SIGTERM, this long after it is ready. */
  | { by: 'term'; afterMs: number }
  /** SIGSTOP for longer than its leases, then SIGCONT, and SIGTERM a little later. */
  | { by: 'freeze'; afterMs: number; forMs: number };

export type DatabaseFault =
  | { kind: 'connections cut' }
  | { kind: 'stopped immediately'; forMs: number }
  /** Number of the data node of a cluster, from 1. */
  | { kind: 'a data node stopped immediately'; node: number; forMs: number }
  | { kind: 'unreachable'; forMs: number }
  | { kind: 'half-open' }
  | { kind: 'connection limit reached'; forMs: number }
  | { kind: 'read-only'; forMs: number };

/** The size of a run. */
export interface Scale {
  /** Workers and webs that die, in parallel; besides them some survive the whole run. */
  slots: { worker: number; web: number };
  steady: { worker: number; web: number };
  /** Number of processes per kind of end. */
  workerFates: Record<'kill' | 'term' | 'freeze' | WorkerPoint, number>;
  webFates: Record<'kill' | 'term' | WebPoint, number>;
  killAfterMs: [number, number];
  /** Minimum number of workers killed with checks in flight. */
  busyDeathsMin: number;
  databaseFaults: DatabaseFault[];
  /** The database begins to fail before all interrupted work is resumed. */
  isHasty: boolean;
  customers: number;
  /** Types of the checks that customers submit, each with the same probability. */
  types: CheckType[];
  /** Concurrent single checks of one customer. */
  singleLanes: number;
  /** Maximum unfinished batches of one customer, and maximum batches in all. */
  openBatchesMax: number;
  batchesMax: number;
  batchSize: [number, number];
  hasWalledInWorker: boolean;
  /** Time that a web process is frozen in a single check; null: its check is made to look old instead. */
  freezeWebMs: number | null;
  /** Longest time until interrupted work is resumed. */
  resumedMaxMs: number;
  timeoutMs: number;
}

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

type WorkerPoint = (typeof workerPoints)[number];
type WebPoint = (typeof webPoints)[number];

const workerPoints = [
  'after_fetch',
  'before_recording',
  'while_finishing',
  'before_completion',
  'after_delivery',
] as const satisfies FailPoint[];
const webPoints = ['after_charge', 'before_answer'] as const satisfies FailPoint[];

/** All faults of the processes and the database, which follow from the seed and the scale. */
export interface Plan {
  seed: number;
  /** The planned ends of each slot, one after the other. */
  workers: Fate[][];
  webs: Fate[][];
  databaseFaults: DatabaseFault[];
}

const nthMax: Record<WorkerPoint | WebPoint, number> = {
  after_fetch: 40,
  before_recording: 4,
  while_finishing: 1,
  before_completion: 3,
  after_delivery: 1,
  after_charge: 3,
  before_answer: 3,
};
// Heartbeats last 10 s and are checked every 3 s, so other processes hold the jobs when a frozen process continues.
const freezeMs = 20_000;

export function planFor(seed: number, scale: Scale): Plan {
  const random = new Random(seed);
  const workers = fates(random, { ...scale.workerFates }, scale.killAfterMs);
  const webs = fates(random, { ...scale.webFates }, scale.killAfterMs);
  return {
    seed,
    workers: dealt(random.shuffled(workers), scale.slots.worker),
    webs: dealt(random.shuffled(webs), scale.slots.web),
    databaseFaults: random.shuffled(scale.databaseFaults),
  };
}

function fates(random: Random, counts: Record<string, number>, [least, most]: [number, number]): Fate[] {
  const make = (by: string): Fate => {
    const afterMs = random.integer(least, most);
    if (by === 'kill' || by === 'term') return { by, afterMs };
    if (by === 'freeze') return { by, afterMs, forMs: freezeMs };
    const point = by as keyof typeof nthMax;
    return { by: point, nth: random.integer(1, nthMax[point]) };
  };
  return Object.entries(counts).flatMap(([by, count]) => Array.from({ length: count }, () => make(by)));
}

function dealt<T>(list: T[], hands: number): T[][] {
  return Array.from({ length: hands }, (_, hand) => list.filter((_entry, index) => index % hands === hand));
}
