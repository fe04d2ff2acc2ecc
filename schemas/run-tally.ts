import type { ChangeKind } from './change-kinds.ts';

/** Where a target, or one of its rivals, stood for the queries of a run. */
export interface Standing {
  /** How many queries had each rank; `0`: not among the results. */
  ranks: Record<string, number>;
  /**
   * By days back: of the queries that were ranked then and are now, how many there are and the sums of their ranks,
   * then and now.
   */
  moved: Record<string, [queries: number, before: number, now: number]>;
}

/** Who was asked, and who answered. */
export interface AskedCounts {
  subjects: number;
  answered: number;
  failed: number;
  /** Losses that wait to be confirmed: they count neither as answered nor as failed. */
  unconfirmed: number;
  /** Of queries only. */
  own?: Standing;
  /** Of queries with competitors only, by their address as it was sent. */
  rivals?: Record<string, Standing>;
}

/** What is kept of a run for good, by which a chart is drawn without looking at each answer. */
export interface RunTally extends AskedCounts {
  /** How many changes of each kind it saw first. */
  kinds: Partial<Record<ChangeKind, number>>;
  /** Of addresses only: `indexed`, or `dead`, `soft404` and `bot_wall`. */
  counts?: Record<string, number>;
}

/** The same of the queries that share device, country and tag. */
export interface GroupTally extends AskedCounts {
  device: string;
  country: string;
  tag: string | null;
}
