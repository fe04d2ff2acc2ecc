import type { BatchRow } from '../../../db/batches/batches.ts';
import type { ResultFilter } from '../../../db/batches/results.ts';

/**
 * Names of colours. A state has the same colour in dots, labels and bars. `good`, `soft` and `low` are positions on a
 * scale. `info`: redirected or changed. `warn`: needs attention. `bad`: dead or lost. `mute`: not checked. `faint`:
 * skipped or canceled.
 */
export type Tone = 'good' | 'soft' | 'low' | 'info' | 'warn' | 'bad' | 'mute' | 'faint';

/** The counters of a batch. */
export type BatchCounts = Pick<BatchRow, 'type' | 'failed' | 'skipped' | 'summary'>;

/** A part of a batch: the items that a filter shows. */
export interface Share {
  show: ResultFilter;
  label: string;
  tone: Tone;
  count: number;
  /** Explains the label. */
  meaning?: string;
}

/** Returns parts of a batch that do not overlap. With the unfinished items, they add up to the total. */
export function toShares(batch: BatchCounts): Share[] {
  return [...answerShares(batch), ...failureShares(batch)];
}

/** Counts failed items. Excludes canceled and skipped items. */
export function countNotChecked({ failed, skipped, summary }: BatchCounts): number {
  return failed - skipped - (summary.canceled ?? 0);
}

/** Returns the parts of a batch, the most important first. `redirected` and `bot_wall` overlap with other parts. */
export function toFindings(batch: BatchCounts): Share[] {
  const answers = answerShares(batch);
  if (batch.type === 'index') return [...answers.toReversed(), ...failureShares(batch)];
  if (batch.type !== 'http') return [...answers, ...failureShares(batch)];
  const only = (...some: ResultFilter[]) => answers.filter(({ show }) => some.includes(show));
  const [dead, ...others] = toOverlappingShares(batch);
  const ends = [...only('redirect', 'other_status'), ...only('ok')];
  return [...(dead ? [dead] : []), ...only('soft404'), ...others, ...ends, ...failureShares(batch)];
}

/** Returns the parts of an HTTP batch that overlap with other parts. Returns [] for other types. */
export function toOverlappingShares({ type, summary }: BatchCounts): Share[] {
  if (type !== 'http') return [];
  const of = (word: string) => summary[word] ?? 0;
  const dead = of('status_4xx') + of('status_5xx') + of('unreachable');
  return [
    share('dead', 'Dead', 'bad', dead, '4xx, 5xx or unreachable'),
    share('redirected', 'Redirected', 'info', of('redirected'), 'Includes redirect targets'),
    share('bot_wall', 'Bot protection', 'warn', of('bot_wall'), 'Also counted by status'),
  ];
}

/** Filters of HTTP results that are worth a look. Their counts are not stored, so each page view counts the results. */
export const reviewFilters = [
  'redirect_chain',
  'temporary_redirect',
  'slow',
  'noindex',
  'canonical_elsewhere',
] as const;

/** Turns counts by filter into parts. Leaves out counts of 0. */
export function toReviewShares(counts: Record<(typeof reviewFilters)[number], number>): Share[] {
  return reviewFilters
    .map((show) => share(show, reviewFilterLabels[show], 'info', counts[show]))
    .filter(({ count }) => count > 0);
}

export const reviewFilterLabels: Record<(typeof reviewFilters)[number], string> = {
  redirect_chain: 'More than one redirect',
  temporary_redirect: 'Temporary redirect',
  slow: '2 seconds or slower',
  noindex: 'noindex',
  canonical_elsewhere: 'Canonical elsewhere',
};

function answerShares({ type, summary }: BatchCounts): Share[] {
  const of = (word: string) => summary[word] ?? 0;
  switch (type) {
    case 'index':
      return [
        share('indexed', 'Indexed', 'good', of('indexed')),
        share('not_indexed', 'Not indexed', 'warn', of('not_indexed')),
      ];
    case 'keyword':
      return [
        share('top_3', 'Top 3', 'good', of('top_3')),
        share('rank_4_10', '4 to 10', 'soft', of('top_10') - of('top_3')),
        share('rank_11_20', '11 to 20', 'info', of('top_20') - of('top_10')),
        share('below_20', 'Below 20', 'low', of('ranked') - of('top_20')),
        share('not_ranked', 'Not ranked', 'warn', of('not_ranked')),
      ];
    case 'http':
      return [
        share('ok', 'OK', 'good', of('status_2xx') - of('soft404')),
        share('soft404', 'Soft 404', 'warn', of('soft404')),
        share('redirect', '3xx', 'info', of('status_3xx'), 'Ended at a redirect'),
        share('client_error', '4xx', 'bad', of('status_4xx')),
        share('server_error', '5xx', 'bad', of('status_5xx')),
        share('unreachable', 'Unreachable', 'bad', of('unreachable'), 'No HTTP response'),
        share('other_status', 'Other', 'low', of('status_other') + of('status_1xx')),
      ];
  }
}

function failureShares(batch: BatchCounts): Share[] {
  return [
    share('not_checked', 'Not checked', 'mute', countNotChecked(batch), 'Refunded'),
    share('canceled', 'Canceled', 'faint', batch.summary.canceled ?? 0, 'Refunded'),
    share('skipped', 'Skipped', 'faint', batch.skipped, 'Not charged'),
  ];
}

function share(show: ResultFilter, label: string, tone: Tone, count: number, meaning?: string): Share {
  return { show, label, tone, count, meaning };
}
