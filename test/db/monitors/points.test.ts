import { expect } from 'chai';
import { findEarlier as earlierOf } from '../../../db/monitors/points.ts';
import { rankAnswer, rankQuery } from '../../support/answers.ts';
import { type Monitored, monitored } from '../../support/monitored.ts';
import { useRecords } from '../../support/records.ts';

const hourMs = 3_600_000;
const now = Date.UTC(2026, 10, 20, 6);
const daysAgo = (days: number) => new Date(now - days * 24 * hourMs);

describe('the earlier ranks of a query', () => {
  const records = useRecords();

  /** Ranks by age in days. */
  type Runs = Record<number, number | null | 'failed'>;
  const ranked = async (runs: Runs) => {
    const monitor = await monitored(records, await records.account(0), 'keyword', [rankQuery()]);
    const oldestFirst = Object.entries(runs).sort(([a], [b]) => Number(b) - Number(a));
    for (const [days, rank] of oldestFirst)
      await monitor.run(daysAgo(Number(days)), [rank === 'failed' ? null : rankAnswer(rank)]);
    return monitor;
  };
  const standing = async (monitor: Monitored<'keyword'>, at: Date | null = null) => {
    const ids = monitor.subjects.map(({ subjectId }) => subjectId);
    const earlier = await earlierOf(records.db, monitor, ids, at);
    return Object.fromEntries(earlier.map(({ days, value }) => [days, value]));
  };

  const cases: Array<[what: string, runs: Runs, standing: Record<number, number | null>]> = [
    ['a week ago is not the day before', { 7: 5, 0: 3 }, { 7: 5 }],
    ['a week ago is not the day before, even without changes since then', { 14: 5, 7: 5, 0: 5 }, { 7: 5 }],
    ['each day, unchanged', { 31: 4, 30: 4, 8: 4, 7: 4, 2: 4, 1: 4, 0: 4 }, { 1: 4, 7: 4, 30: 4 }],
    ['half a day off is near enough', { 1.5: 9, 0: 3 }, { 1: 9 }],
    ['more than that is not', { 1.51: 9, 0: 3 }, {}],
    ['the nearer of two, before or after', { 1.3: 9, 0.9: 8, 0: 3 }, { 1: 8 }],
    ['the nearer of two, if that is the earlier', { 1.1: 9, 0.8: 8, 0: 3 }, { 1: 9 }],
    ['not ranked is a known value', { 1: null, 0: 3 }, { 1: null }],
    ['a failure has no value', { 7: 5, 1: 'failed', 0: 3 }, { 7: 5 }],
    ['a failure between equal answers is not a gap', { 2: 5, 1: 'failed', 0: 5 }, { 1: 5 }],
    ['a failure now leaves the days of the last answer', { 2: 5, 1: 4, 0: 'failed' }, { 1: 5 }],
    ['an unconfirmed fall is omitted', { 8: 5, 7: 30, 6.9: 6, 0: 3 }, { 7: 6 }],
  ];

  for (const [what, runs, expected] of cases) {
    it(what, async () => {
      expect(await standing(await ranked(runs))).to.deep.equal(expected);
    });
  }

  it('are found for any time, and are empty before the first answer', async () => {
    const monitor = await ranked({ 8: 7, 1: 5 });
    expect(await standing(monitor, daysAgo(0))).to.deep.equal({ 1: 5, 7: 7 });
    expect(await standing(await ranked({}))).to.deep.equal({});
    expect(await standing(await ranked({ 0: 'failed' }))).to.deep.equal({});
  });
});
