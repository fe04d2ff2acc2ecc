import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { atOf, countDue, nextDue } from '../../monitors/due-times.ts';
import type { Schedule } from '../../schemas/monitor-words.ts';
import { borrowRecords, type Records } from '../support/records.ts';

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

/** What the wall of a zone shows at each quarter of an hour, as if it were UTC; Postgres knows zones by itself. */
async function wallOf({ db }: Records, zone: string): Promise<number[]> {
  const { rows } = await sql<{ shown: number[] }>`
    select array_agg(extract(epoch from at at time zone ${zone}::text)::float8 * 1000 order by at) as shown
    from generate_series(to_timestamp(${(from - 86_400_000) / 1000}), to_timestamp(${(until + 86_400_000) / 1000}),
      interval '15 minutes') as at`.execute(db);
  return rows[0]?.shown ?? [];
}

/** By looking at a wall clock every quarter of an hour for two years, and never reckoning with a shift. */
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
      // Skipped: so long after the last quarter that was shown before it.
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
    let at = nextDue(schedule, 'any', new Date(from));
    at.getTime() <= until;
    at = nextDue(schedule, 'any', at)
  ) {
    due.push(at.getTime());
  }
  return due;
}

const inText = (times: number[]) => times.map((time) => new Date(time).toISOString());

describe('due times', () => {
  let records: Records;

  before(async () => {
    records = await borrowRecords();
  });

  after(() => records.giveBack());

  for (const zone of zones) {
    it(`over two years in ${zone} are those that a walk along its wall clock finds`, async () => {
      const shown = await wallOf(records, zone);
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
      const times = countDue(
        { every: 'day', at: '02:30', on: null, timezone: zone },
        'any',
        new Date(from),
        new Date(until),
      );
      expect(times).to.equal(walked(shown, { every: 'day', on: null }, '02:30').length);
    });
  }

  const dueIn = (schedule: Schedule, after: string) =>
    nextDue(schedule, 'any', new Date(after)).toISOString();
  const daily = (at: string, timezone: string): Schedule => ({ every: 'day', at, on: null, timezone });

  it('that a shift leaves out come as late as the shift is long', () => {
    expect(dueIn(daily('02:30', 'Europe/Berlin'), '2026-03-28T20:00:00Z')).to.equal(
      '2026-03-29T01:30:00.000Z',
    );
    expect(dueIn(daily('02:07', 'Australia/Lord_Howe'), '2026-10-03T00:00:00Z')).to.equal(
      '2026-10-03T15:37:00.000Z',
    );
  });

  it('that come twice are the first, and once', () => {
    const schedule = daily('02:30', 'Europe/Berlin');
    expect(dueIn(schedule, '2026-10-24T12:00:00Z')).to.equal('2026-10-25T00:30:00.000Z');
    expect(dueIn(schedule, '2026-10-25T00:30:00Z')).to.equal('2026-10-26T01:30:00.000Z');
  });

  it('at midnight are there where the day begins at one', () => {
    // Cairo's clocks go from 24:00 to 01:00 on the last Friday of April.
    expect(dueIn(daily('00:00', 'Africa/Cairo'), '2026-04-23T12:00:00Z')).to.equal(
      '2026-04-23T22:00:00.000Z',
    );
  });

  it('without a time are spread over four hours of the morning, and stay where they are', () => {
    const schedule: Schedule = { every: 'day', at: null, on: null, timezone: 'UTC' };
    const ids = Array.from({ length: 2000 }, () => randomUUID());
    const minutes = new Set(ids.map((id) => atOf(schedule, id)));
    expect(minutes.size).to.be.greaterThan(200);
    for (const at of minutes) expect(at >= '03:00' && at < '07:00', at).to.equal(true);
    const hours = new Set(ids.map((id) => atOf({ ...schedule, every: 'hour' }, id)));
    expect(hours.size).to.equal(60);
    const [id = ''] = ids;
    expect(atOf(schedule, id)).to.equal(atOf({ ...schedule, every: 'week' }, id));
  });
});
