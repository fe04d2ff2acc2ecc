import { expect } from 'chai';
import { sql } from 'kysely';
import type * as monitors from '../../db/monitors/monitors.ts';
import type { Schedule } from '../../schemas/monitor-words.ts';
import { deskOfSuite } from '../support/desk-of-suite.ts';

type Case = [
  what: string,
  schedule: Pick<Schedule, 'every' | 'at'> & Partial<Schedule>,
  from: string,
  due: string[],
];

const daily = (timezone: string, at: string) => ({ every: 'day', at, timezone }) as const;
const monthly = (on: number[], at = '00:00') => ({ every: 'month', at, on, timezone: 'UTC' }) as const;

// Reckoned by hand, in UTC, with the shifts of the tz database.
const cases: Case[] = [
  [
    'Berlin, 02:30, in spring: that night at 03:30',
    daily('Europe/Berlin', '02:30'),
    '2026-03-27T12:00Z',
    ['2026-03-28T01:30Z', '2026-03-29T01:30Z', '2026-03-30T00:30Z'],
  ],
  [
    'Berlin, 02:30, in autumn: the first of two',
    daily('Europe/Berlin', '02:30'),
    '2026-10-23T12:00Z',
    ['2026-10-24T00:30Z', '2026-10-25T00:30Z', '2026-10-26T01:30Z'],
  ],
  [
    'New York, 02:30, in spring',
    daily('America/New_York', '02:30'),
    '2026-03-06T12:00Z',
    ['2026-03-07T07:30Z', '2026-03-08T07:30Z', '2026-03-09T06:30Z'],
  ],
  [
    'New York, 01:30, in autumn',
    daily('America/New_York', '01:30'),
    '2026-10-30T12:00Z',
    ['2026-10-31T05:30Z', '2026-11-01T05:30Z', '2026-11-02T06:30Z'],
  ],
  [
    'Lord Howe, whose clock goes back by half an hour',
    daily('Australia/Lord_Howe', '01:45'),
    '2026-04-03T00:00Z',
    ['2026-04-03T14:45Z', '2026-04-04T14:45Z', '2026-04-05T15:15Z'],
  ],
  [
    'Lord Howe, whose clock goes on by half an hour',
    daily('Australia/Lord_Howe', '02:15'),
    '2026-10-02T00:00Z',
    ['2026-10-02T15:45Z', '2026-10-03T15:45Z', '2026-10-04T15:15Z'],
  ],
  [
    'Amman, which did not put its clock back in 2022',
    daily('Asia/Amman', '00:30'),
    '2022-10-26T12:00Z',
    ['2022-10-26T21:30Z', '2022-10-27T21:30Z', '2022-10-28T21:30Z', '2022-10-29T21:30Z'],
  ],
  [
    'Apia, which had no 30th of December in 2011',
    daily('Pacific/Apia', '12:00'),
    '2011-12-29T00:00Z',
    ['2011-12-29T22:00Z', '2011-12-30T22:00Z', '2011-12-31T22:00Z'],
  ],
  [
    'Kathmandu, midnight, over the turn of a year',
    daily('Asia/Kathmandu', '00:00'),
    '2026-12-30T00:00Z',
    ['2026-12-30T18:15Z', '2026-12-31T18:15Z', '2027-01-01T18:15Z'],
  ],
  [
    'every hour through a shift, by the clock of UTC',
    { every: 'hour', at: '00:30', timezone: 'Europe/Berlin' },
    '2026-03-29T00:00Z',
    ['2026-03-29T00:30Z', '2026-03-29T01:30Z', '2026-03-29T02:30Z'],
  ],
  [
    'a week over a shift',
    { every: 'week', at: '06:00', on: ['sun', 'wed'], timezone: 'Europe/Berlin' },
    '2026-03-24T12:00Z',
    ['2026-03-25T05:00Z', '2026-03-29T04:00Z', '2026-04-01T04:00Z'],
  ],
  [
    'the 31st, of short months too',
    monthly([31]),
    '2027-01-30T00:00Z',
    ['2027-01-31T00:00Z', '2027-02-28T00:00Z', '2027-03-31T00:00Z', '2027-04-30T00:00Z'],
  ],
  [
    'days that coincide in a leap year',
    monthly([29, 30, -1]),
    '2028-02-28T00:00Z',
    ['2028-02-29T00:00Z', '2028-03-29T00:00Z', '2028-03-30T00:00Z', '2028-03-31T00:00Z'],
  ],
  [
    'the first and the last over the turn of a year',
    monthly([1, -1], '23:59'),
    '2026-12-30T00:00Z',
    ['2026-12-31T23:59Z', '2027-01-01T23:59Z', '2027-01-31T23:59Z'],
  ],
];

describe('a clock that is moved over shifts, ends of months and of a year', () => {
  const held = deskOfSuite();

  /** So that the next is no overlap; what it found is not what this is about. */
  const endRuns = () =>
    sql`update monitor_runs set status = 'failed', failed = subjects, finished_at = now()
      where finished_at is null`.execute(held.records.db);
  const passAt = async (moment: Date | string, passes = 1) => {
    await held.desk.moveClock(moment);
    const all = await Promise.all(Array.from({ length: passes }, () => held.desk.pass()));
    return all.reduce((sum, { started, skipped }) => sum + started + skipped, 0);
  };
  const make = async (schedule: Case[1], from: string, credits = 100) => {
    await held.desk.moveClock(from);
    const of = {
      schedule: { on: null, timezone: 'UTC', ...schedule },
      inputs: [{ url: 'https://a.example/' }],
    };
    return held.desk.make(await held.records.account(credits), of);
  };
  const runsOf = async (monitor: monitors.MonitorRow) =>
    (await held.desk.runsOf(monitor)).map(({ dueAt, late, status }) => ({
      at: dueAt?.getTime(),
      late,
      status,
    }));

  for (const [what, schedule, from, due] of cases) {
    it(`starts each run once, whoever looks: ${what}`, async () => {
      const monitor = await make(schedule, from);
      for (const at of due.map((text) => new Date(text))) {
        expect(await passAt(new Date(at.getTime() - 1000)), `before ${at.toISOString()}`).to.equal(0);
        expect(await passAt(at, 2), at.toISOString()).to.equal(1);
        await endRuns();
        expect(await passAt(new Date(at.getTime() + 1000)), `after ${at.toISOString()}`).to.equal(0);
      }
      const expected = due.map((text) => ({ at: Date.parse(text), late: false, status: 'failed' }));
      expect(await runsOf(monitor)).to.deep.equal(expected);
    });
  }

  it('starts no run a second time when it goes back', async () => {
    const monitor = await make(daily('UTC', '06:00'), '2026-11-20T00:00Z');
    expect(await passAt('2026-11-20T06:00Z')).to.equal(1);
    await endRuns();
    for (const moment of ['2026-11-20T05:00Z', '2026-11-20T06:00Z', '2026-11-21T05:59Z'])
      expect(await passAt(moment), moment).to.equal(0);
    expect(await passAt('2026-11-21T06:00Z')).to.equal(1);
    expect((await runsOf(monitor)).map(({ at }) => at)).to.deep.equal(
      ['2026-11-20T06:00Z', '2026-11-21T06:00Z'].map(Date.parse),
    );
  });

  it('starts one run, late, for a year that nobody was there', async () => {
    const monitor = await make({ every: 'hour', at: '00:15' }, '2026-11-20T00:00Z');
    expect(await passAt('2027-11-20T12:00Z', 2)).to.equal(1);
    await endRuns();
    expect(await passAt('2027-11-20T12:15Z')).to.equal(1);
    expect(await runsOf(monitor)).to.deep.equal([
      { at: Date.parse('2026-11-20T00:15Z'), late: true, status: 'failed' },
      { at: Date.parse('2027-11-20T12:15Z'), late: false, status: 'running' },
    ]);
  });
});
