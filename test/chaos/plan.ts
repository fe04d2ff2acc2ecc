import type { FailPoint } from '../../process/fail-point.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import { Random } from '../support/random.ts';

/** The end of a process, or an interruption of it. */
export type Fate =
  /**
   * SIGKILL by the run, this long after the process is ready. A worker is killed only while it has checks in flight.
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
  /** Unfinished batches of one customer, and batches in all. */
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

/** Plans all faults of the processes and the database from the seed alone. */
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
// Heartbeats last 10 s and are checked every 3 s, so other processes hold the jobs when it continues.
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
