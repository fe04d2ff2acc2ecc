import type { BatchRow } from '../../db/batches.ts';
import type { ResultFilter } from '../../db/results.ts';
import { type CheckType, checkTypes } from '../../schemas/check-types.ts';
import { grouped } from './format.ts';

/** A part of a batch's items that has a name, a colour and a page of its own. */
export interface Share {
  show: ResultFilter;
  label: string;
  tone: 'good' | 'soft' | 'info' | 'warn' | 'bad' | 'mute';
  count: number;
}

/** A batch as pages show it. */
export interface BatchView {
  id: string;
  href: string;
  typeName: string;
  name: string;
  status: string;
  tone: 'good' | 'info' | 'warn' | 'bad' | 'mute';
  isOver: boolean;
  total: number;
  processed: number;
  percent: number;
  createdAt: Date;
  /** Disjoint; with what is open they add up to the total. */
  shares: Share[];
  /** The few that a list has room for: all that is dead in one. */
  brief: Share[];
  /** Where the coloured pieces of the bar begin and end, in percent. */
  pieces: Array<{ tone: Share['tone']; label: string; from: number; width: number }>;
  /** Worth a link of their own although they cut across the others. */
  also: Share[];
  /** Changes whenever anything of this does. */
  version: string;
}

export function viewOf(batch: BatchRow): BatchView {
  const { batchId, type, status, total, successful, failed, completedAt, createdAt, canceledAt } = batch;
  const processed = successful + failed;
  const failures = share('failed', 'Failed', 'mute', failed);
  const shares = [...sharesOf(batch), failures];
  const also = alsoOf(batch);
  return {
    id: batchId,
    href: `/batches/${batchId}`,
    typeName: titleOf(type),
    name: batch.name ?? batch.reference ?? `${titleOf(type)}, ${grouped(total)} ${checkTypes[type].inputs}`,
    ...(canceledAt ? { status: 'Canceled', tone: 'mute' as const } : statuses[status]),
    isOver: completedAt !== null,
    total,
    processed,
    percent: Math.floor((processed * 100) / total),
    createdAt,
    shares,
    brief: shares.flatMap((one) =>
      one.show === 'client_error' ? also.slice(0, 1) : deadly.has(one.show) ? [] : one,
    ),
    pieces: piecesOf(shares, total),
    also,
    version: `${processed}-${status}-${batch.retriedAs ? 1 : 0}`,
  };
}

// What of a batch of addresses counts as dead, the first of them aside.
const deadly = new Set<ResultFilter>(['server_error', 'unreachable']);

/** What a share is called in headings. */
export function labelOf(batch: BatchRow, show: ResultFilter): string {
  const { shares, also } = viewOf(batch);
  return [...shares, ...also].find((one) => one.show === show)?.label ?? labels[show] ?? show;
}

const labels: Partial<Record<ResultFilter, string>> = { dead: 'Dead', ranked: 'Ranked' };

const statuses = {
  pending: { status: 'Waiting', tone: 'mute' },
  processing: { status: 'Running', tone: 'info' },
  completed: { status: 'Done', tone: 'good' },
  partial: { status: 'Done, some failed', tone: 'warn' },
  failed: { status: 'Failed', tone: 'bad' },
} as const;

function titleOf(type: CheckType): string {
  return checkTypes[type].title;
}

function sharesOf({ type, summary }: BatchRow): Share[] {
  const of = (word: string) => summary[word] ?? 0;
  switch (type) {
    case 'index':
      return [
        share('indexed', 'Indexed', 'good', of('indexed')),
        share('not_indexed', 'Not indexed', 'bad', of('not_indexed')),
      ];
    case 'keyword':
      return [
        share('top_3', 'Top 3', 'good', of('top_3')),
        share('rank_4_10', '4 to 10', 'soft', of('top_10') - of('top_3')),
        share('rank_11_20', '11 to 20', 'info', of('top_20') - of('top_10')),
        share('below_20', 'Below 20', 'warn', of('ranked') - of('top_20')),
        share('not_ranked', 'Not found', 'bad', of('not_ranked')),
      ];
    case 'http':
      return [
        share('ok', 'OK', 'good', of('status_2xx') - of('soft404')),
        share('soft404', 'Soft 404', 'warn', of('soft404')),
        share('redirect', '3xx', 'info', of('status_3xx')),
        share('client_error', '4xx', 'bad', of('status_4xx')),
        share('server_error', '5xx', 'bad', of('status_5xx')),
        share('unreachable', 'No answer', 'bad', of('unreachable')),
        share('other_status', 'Other', 'warn', of('status_other') + of('status_1xx')),
      ];
  }
}

function alsoOf({ type, summary }: BatchRow): Share[] {
  if (type !== 'http') return [];
  const of = (word: string) => summary[word] ?? 0;
  const dead = of('status_4xx') + of('status_5xx') + of('unreachable');
  return [
    share('dead', 'Dead', 'bad', dead),
    share('redirected', 'Redirected', 'info', of('redirected')),
    share('bot_wall', 'Bot wall', 'warn', of('bot_wall')),
  ];
}

function share(show: ResultFilter, label: string, tone: Share['tone'], count: number): Share {
  return { show, label, tone, count };
}

function piecesOf(shares: Share[], total: number): BatchView['pieces'] {
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
