import type { BatchRow } from '../../../db/batches/batches.ts';
import type { ResultFilter } from '../../../db/batches/results.ts';
import { canceledOf } from '../../../wire/bodies.ts';

/**
 * What a colour says: good, soft and low are places on a scale, info is a way on; warn is worth a look, bad is broken
 * for who asks, fault broken at the server, silent without an answer; mute was not found out, faint not asked.
 */
export type Tone = 'good' | 'soft' | 'low' | 'info' | 'warn' | 'bad' | 'fault' | 'silent' | 'mute' | 'faint';

/** A part of a batch's items that has a name, a colour and a page of its own. */
export interface Share {
  show: ResultFilter;
  label: string;
  tone: Tone;
  count: number;
  /** What the name means, where it is not plain. */
  meaning?: string;
}

/** Disjoint parts of a batch, from good news to what was never asked; with what is open they add up to the total. */
export function sharesOf(batch: BatchRow): Share[] {
  return [...answersOf(batch), ...unansweredOf(batch)];
}

/** Items that failed and were tried: refunded, and not the caller's doing. */
export function notCheckedOf(batch: BatchRow): number {
  return batch.failed - batch.skipped - canceledOf(batch);
}

/**
 * What was found, as one would tell it: the finding first, the rest after it. Without those whose meaning says
 * that they are counted elsewhere, too, they add up to the total.
 */
export function findingsOf(batch: BatchRow): Share[] {
  const answers = answersOf(batch);
  if (batch.type === 'index') return [...answers.toReversed(), ...unansweredOf(batch)];
  if (batch.type !== 'http') return [...answers, ...unansweredOf(batch)];
  const only = (...some: ResultFilter[]) => answers.filter(({ show }) => some.includes(show));
  const [dead, ...others] = acrossOf(batch);
  const ends = [...only('redirect', 'other_status'), ...only('ok')];
  return [...(dead ? [dead] : []), ...only('soft404'), ...others, ...ends, ...unansweredOf(batch)];
}

/** Parts worth a name of their own although they cut across the others. */
export function acrossOf({ type, summary }: BatchRow): Share[] {
  if (type !== 'http') return [];
  const of = (word: string) => summary[word] ?? 0;
  const dead = of('status_4xx') + of('status_5xx') + of('unreachable');
  return [
    { ...share('dead', 'Dead', 'bad', dead), meaning: '4xx, 5xx or unreachable' },
    {
      ...share('redirected', 'Redirected', 'info', of('redirected')),
      meaning: 'counted by where they end, too',
    },
    {
      ...share('bot_wall', 'Bot wall', 'warn', of('bot_wall')),
      meaning: 'counted by its status, too',
    },
  ];
}

/** What is worth a look among HTTP answers although none of it is counted as they come in. */
export const remarks = [
  'redirect_chain',
  'temporary_redirect',
  'slow',
  'noindex',
  'canonical_elsewhere',
] as const;

/** The same with their numbers, those of nothing left out. */
export function remarksOf(counts: Record<(typeof remarks)[number], number>): Share[] {
  return remarks
    .map((show) => share(show, remarkLabels[show], 'info', counts[show]))
    .filter(({ count }) => count > 0);
}

export const remarkLabels: Record<(typeof remarks)[number], string> = {
  redirect_chain: 'More than one hop',
  temporary_redirect: 'Temporary redirect',
  slow: '2 seconds or slower',
  noindex: 'noindex',
  canonical_elsewhere: 'Canonical elsewhere',
};

function answersOf({ type, summary }: BatchRow): Share[] {
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
        share('not_ranked', 'Not found', 'warn', of('not_ranked')),
      ];
    case 'http':
      return [
        share('ok', 'OK', 'good', of('status_2xx') - of('soft404')),
        share('soft404', 'Soft 404', 'warn', of('soft404')),
        { ...share('redirect', '3xx', 'info', of('status_3xx')), meaning: 'ended at a redirect' },
        share('client_error', '4xx', 'bad', of('status_4xx')),
        share('server_error', '5xx', 'fault', of('status_5xx')),
        { ...share('unreachable', 'Unreachable', 'silent', of('unreachable')), meaning: 'no answer came' },
        share('other_status', 'Other', 'low', of('status_other') + of('status_1xx')),
      ];
  }
}

function unansweredOf(batch: BatchRow): Share[] {
  return [
    { ...share('not_checked', 'Not checked', 'mute', notCheckedOf(batch)), meaning: 'refunded' },
    { ...share('canceled', 'Canceled', 'faint', canceledOf(batch)), meaning: 'refunded' },
    { ...share('skipped', 'Skipped', 'faint', batch.skipped), meaning: 'never charged' },
  ];
}

function share(show: ResultFilter, label: string, tone: Tone, count: number): Share {
  return { show, label, tone, count };
}
