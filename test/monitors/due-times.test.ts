import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { countDueTimes, getTimeOfDay, nextDueTime } from '../../monitors/due-times.ts';
import type { Schedule } from '../../schemas/monitor-types.ts';
import { type Records, useRecords } from '../support/records.ts';

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'];
const from = Date.UTC(2026, 0, 1);
const until = Date.UTC(2028, 0, 1);
const quarterMs = 15 * 60_000;

const ats = ['00:00', '01:45', '02:00', '02:30', '03:00', '23:45'];
const days: Array<Pick<Schedule, 'every' | 'on'>> = [
  { every: 'day', on: null },
  { every: 'week', on: null },
  { every: 'week', on: ['sun'] },
  { every: 'week', on: ['sat', 'mon', 'thu'] },
  { every: 'month', on: null },
  { every: 'month', on: [31] },
  { every: 'month', on: [28, 29, 30, 31, -1] },
  { every: 'month', on: [1, 15, -1] },
];

/** Local time of a zone at each quarter of an hour, as if it were UTC; from the time zones of Postgres. */
async function readWallClock({ db }: Records, zone: string): Promise<number[]> {
  const { rows } = await sql<{ shown: number[] }>`
    select array_agg(extract(epoch from at at time zone ${zone}::text)::float8 * 1000 order by at) as shown
    from generate_series(to_timestamp(${(from - 86_400_000) / 1000}), to_timestamp(${(until + 86_400_000) / 1000}),
      interval '15 minutes') as at`.execute(db);
  return rows[0]?.shown ?? [];
}

/** Finds due times by reading a local clock every quarter of an hour for two years, without computing with offsets. */
function walked(shown: number[], { every, on }: Pick<Schedule, 'every' | 'on'>, at: string): number[] {
  const minutes = Number(at.slice(0, 2)) * 60 + Number(at.slice(3));
  const due: number[] = [];
  const firstShown = Date.UTC(2025, 11, 31);
  for (let day = firstShown; day <= until; day += 86_400_000) {
    if (!isOn(new Date(day), every, on)) continue;
    const wanted = day + minutes * 60_000;
    const seen = shown.indexOf(wanted, Math.max(0, Math.floor((day - from) / quarterMs) - 100));
    if (seen >= 0) due.push(momentAt(seen));
    else {
      // The clock skips this time. It is due as long after the last quarter before the gap as if there were no gap.
      const over = shown.findIndex((each, index) => index > (day - from) / quarterMs - 100 && each > wanted);
      if (over > 0) due.push(momentAt(over - 1) + wanted - (shown[over - 1] ?? 0));
    }
  }
  return due.filter((each) => each > from && each <= until);
}

const momentAt = (index: number) => from - 86_400_000 + index * quarterMs;

function isOn(day: Date, every: Schedule['every'], on: Schedule['on']): boolean {
  if (every === 'day') return true;
  const name = day.toUTCString().slice(0, 3).toLowerCase();
  if (every === 'week') return (on ?? ['mon']).some((each) => each === name);
  const isLast = new Date(day.getTime() + 86_400_000).getUTCDate() === 1;
  return (on ?? [1]).some(
    (each) => each === day.getUTCDate() || (isLast && (each === -1 || Number(each) > day.getUTCDate())),
  );
}

function chained(schedule: Schedule): number[] {
  const due: number[] = [];
  for (
    let at = nextDueTime(schedule, 'any', new Date(from));
    at.getTime() <= until;
    at = nextDueTime(schedule, 'any', at)
  ) {
    due.push(at.getTime());
  }
  return due;
}

const inText = (times: number[]) => times.map((time) => new Date(time).toISOString());

type Case = [
  what: string,
  schedule: Pick<Schedule, 'every' | 'at'> & Partial<Schedule>,
  from: string,
  due: string[],
];

const daily = (timezone: string, at: string) => ({ every: 'day', at, timezone }) as const;

// Computed by hand, in UTC, with the offsets of the tz database.
const cases: Case[] = [
  [
    'Lord Howe, whose clock goes forward by half an hour',
    daily('Australia/Lord_Howe', '02:07'),
    '2026-10-03T00:00Z',
    ['2026-10-03T15:37Z', '2026-10-04T15:07Z'],
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
    'Cairo, midnight, on the day that begins at one',
    daily('Africa/Cairo', '00:00'),
    '2026-04-23T12:00Z',
    ['2026-04-23T22:00Z'],
  ],
  [
    'days that coincide in a leap year',
    { every: 'month', at: '00:00', on: [29, 30, -1] },
    '2028-02-28T00:00Z',
    ['2028-02-29T00:00Z', '2028-03-29T00:00Z', '2028-03-30T00:00Z', '2028-03-31T00:00Z'],
  ],
];

describe('due times', () => {
  const records = useRecords();

  for (const zone of zones) {
    it(`over two years in ${zone} are those of a search along its local clock`, async () => {
      const shown = await readWallClock(records, zone);
      for (const rule of days) {
        for (const at of ats) {
          const found = chained({ ...rule, at, timezone: zone });
          const expected = walked(shown, rule, at);
          expect(expected.length, 'the walk finds something').to.be.greaterThan(20);
          expect(inText(found), JSON.stringify({ ...rule, at })).to.deep.equal(inText(expected));
        }
      }
      const hourly = chained({ every: 'hour', at: '09:45', on: null, timezone: zone });
      expect(hourly.length).to.equal((until - from) / 3_600_000);
      expect(hourly.every((each) => new Date(each).getUTCMinutes() === 45)).to.equal(true);
      const times = countDueTimes(
        { every: 'day', at: '02:30', on: null, timezone: zone },
        'any',
        new Date(from),
        new Date(until),
      );
      expect(times).to.equal(walked(shown, { every: 'day', on: null }, '02:30').length);
    });
  }

  for (const [what, schedule, after, due] of cases) {
    it(what, () => {
      let at = new Date(after);
      const found = due.map(() => {
        at = nextDueTime({ on: null, timezone: 'UTC', ...schedule }, 'any', at);
        return at.toISOString();
      });
      expect(found).to.deep.equal(due.map((text) => new Date(text).toISOString()));
    });
  }

  it('without a time are spread over four hours of the morning, and are stable', () => {
    const schedule: Schedule = { every: 'day', at: null, on: null, timezone: 'UTC' };
    const ids = Array.from({ length: 2000 }, () => randomUUID());
    const minutes = new Set(ids.map((id) => getTimeOfDay(schedule, id)));
    expect(minutes.size).to.be.greaterThan(200);
    for (const at of minutes) expect(at >= '03:00' && at < '07:00', at).to.equal(true);
    const hours = new Set(ids.map((id) => getTimeOfDay({ ...schedule, every: 'hour' }, id)));
    expect(hours.size).to.equal(60);
    const [id = ''] = ids;
    expect(getTimeOfDay(schedule, id)).to.equal(getTimeOfDay({ ...schedule, every: 'week' }, id));
  });
});
