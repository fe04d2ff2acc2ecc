import type { BatchRow } from '../../../db/batches/batches.ts';
import type { ResultFilter } from '../../../db/batches/results.ts';
import { type CheckType, checkTypes } from '../../../schemas/check-types.ts';
import {
  type BatchCounts,
  countNotChecked,
  reviewFilterLabels,
  type Share,
  type Tone,
  toFindings,
  toOverlappingShares,
  toShares,
} from '../evidence/shares.ts';
import { counted } from '../format.ts';

export interface BatchView {
  id: string;
  href: string;
  type: CheckType;
  typeName: string;
  name: string;
  status: string;
  tone: Tone;
  isOver: boolean;
  /** Number of inputs, without skipped inputs. */
  total: number;
  /** Number of items with an answer. */
  checked: number;
  /** Number of finished items: answered, failed or skipped. */
  settled: number;
  /** `checked` in percent of `total`. */
  percent: number;
  createdAt: Date;
  /** Disjoint parts. Together with unfinished items they add up to all inputs. */
  shares: Share[];
  /** Parts to show as tiles and lists. They may overlap, and some have a count of 0. */
  findings: Share[];
  /** Coloured parts of the progress bar, in percent of its width. */
  pieces: Array<{ tone: Tone; label: string; from: number; width: number }>;
  /** Changes whenever the progress or status changes. */
  version: string;
}

type ViewedBatch = BatchCounts &
  Pick<BatchRow, 'batchId' | 'name' | 'reference' | 'status' | 'total' | 'successful' | 'retriedAs'> &
  Pick<BatchRow, 'createdAt' | 'completedAt' | 'canceledAt'>;

export function toBatchView(batch: ViewedBatch): BatchView {
  const { batchId, type, successful: checked, failed, skipped, completedAt, createdAt } = batch;
  const shares = toShares(batch);
  const total = batch.total - skipped;
  return {
    id: batchId,
    href: `/batches/${batchId}`,
    type,
    typeName: checkTypes[type].title,
    name: batch.name ?? batch.reference ?? unnamed(batch),
    ...toStatus(batch),
    isOver: completedAt !== null,
    total,
    checked,
    settled: checked + failed,
    percent: total === 0 ? 100 : Math.floor((checked * 100) / total),
    createdAt,
    shares,
    findings: toFindings(batch),
    pieces: toPieces(shares, batch.total),
    version: `${checked + failed}-${batch.status}-${batch.retriedAs ? 1 : 0}`,
  };
}

export function getShareLabel(batch: BatchRow, show: ResultFilter): string {
  const named = [...toShares(batch), ...toOverlappingShares(batch)].find((one) => one.show === show);
  return named?.label ?? labels[show] ?? show;
}

const labels: Partial<Record<ResultFilter, string>> = {
  ...reviewFilterLabels,
  ranked: 'Ranked',
  failed: 'Not checked',
};

function unnamed({ type, total }: ViewedBatch): string {
  const { title, inputs, oneInput } = checkTypes[type];
  return `${title}, ${counted(total, oneInput, inputs)}`;
}

/** Skipped inputs do not make a batch incomplete, because only the caller can correct them. */
function toStatus(batch: ViewedBatch): { status: string; tone: Tone } {
  const { canceledAt, completedAt, status, successful, skipped, total } = batch;
  if (!completedAt) {
    return status === 'pending' ? { status: 'Waiting', tone: 'mute' } : { status: 'Running', tone: 'info' };
  }
  const notChecked = countNotChecked(batch);
  if (canceledAt) return { status: 'Canceled', tone: 'mute' };
  if (skipped === total) return { status: 'Skipped', tone: 'mute' };
  if (notChecked === 0) return { status: 'Done', tone: 'good' };
  if (successful === 0) return { status: 'Not checked', tone: 'bad' };
  return { status: 'Done, some not checked', tone: 'warn' };
}

function toPieces(shares: Share[], total: number): BatchView['pieces'] {
  let from = 0;
  return shares
    .filter(({ count }) => count > 0)
    .map(({ tone, label, count }) => {
      const width = (count * 100) / total;
      const piece = { tone, label, from: round(from), width: round(width) };
      from += width;
      return piece;
    });
}

function round(percent: number): number {
  return Math.round(percent * 100) / 100;
}
