import type { ChangeRow } from '../db/monitors/changes.ts';
import type { MonitorRef, MonitorRow } from '../db/monitors/monitors.ts';
import type { ChangeKind } from '../schemas/change-kinds.ts';
import type { TallySheet } from './changes/tally.ts';

/** What is needed of a monitor to say what changed. */
export type SettledMonitor = MonitorRef & Pick<MonitorRow, 'type' | 'rankThreshold' | 'confirmLosses'>;

/** A run whose batches have all ended. */
export interface SettledRun {
  runId: string;
  /** The run whose losses it looked at again; null when it is none of those. */
  confirms: string | null;
  startedAt: Date | null;
  batchIds: string[];
}

/** What came of a run. */
export interface Settled {
  /** How many changes it told. */
  changes: number;
  /** The same by kind. */
  counts: Partial<Record<ChangeKind, number>>;
  /** The first hundred of them, as the API shows them. */
  inline: object[];
  /** Subjects with a loss that is to be looked at again before it is told. */
  losses: number[];
  /** Subjects that were found indexed. */
  indexed: number[];
}

/** What holds while a run is settled. */
export interface Settling {
  monitor: SettledMonitor;
  run: SettledRun;
  sheet: TallySheet;
  /** When the run began. */
  at: Date;
  /** When the run began whose losses it looks at again; undefined when it looks at none. */
  comparedAt: Date | undefined;
  toldAt: Date;
}

/** A change that was told just now. */
export type ToldChange = ChangeRow;
