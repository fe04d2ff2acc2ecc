import { expect } from 'chai';
import { sql } from 'kysely';
import * as changes from '../../db/monitors/changes.ts';
import { pointFlags } from '../../db/monitors/points.ts';
import type { AnswerOf, CheckType, InputOf } from '../../schemas/check-types.ts';
import { httpAnswer, indexAnswer, rankAnswer, rankQuery } from '../support/answers.ts';
import { type Monitored, monitored } from '../support/monitored.ts';
import { useRecords } from '../support/records.ts';

const runs = 30;
const dayMs = 86_400_000;
const began = Date.UTC(2026, 0, 1, 6);
const toDate = (run: number) => new Date(began + run * dayMs);

/** The result of a check: an answer, or null. */
type Said<T extends CheckType> = AnswerOf<T> | null;

/** A subject with the results of its runs and confirmations, and the events expected from them. Runs count from 1. */
interface Story<T extends CheckType> {
  finds(run: number): Said<T>;
  /** Result of the confirmation. Default: the result of the run. */
  again?(run: number): Said<T>;
  /** Expected changes as `run kind`. The run is the first that found the change. */
  told: string[];
}

const page = httpAnswer;
const gone = () => page({ status: 0, error: 'connect_timeout', soft404_checked: false, title: null });
const missing = () => page({ status: 404, soft404_checked: false, title: null });
const walled = () =>
  page({ status: 403, bot_wall: 'cloudflare', soft404_checked: false, title: 'Just a moment...' });
const softly = () => page({ is_soft404: true, title: 'Not found' });
const shell = () => page({ soft404_checked: false, title: null });
const within = (run: number, from: number, to: number) => run >= from && run <= to;

const sites: Record<string, Story<'http'>> = {
  steady: { finds: () => page(), told: [] },
  'fails now and then': { finds: (run) => (run % 4 === 3 ? null : page()), told: [] },
  'fails before it dies': {
    finds: (run) => (within(run, 4, 6) ? null : run > 6 ? missing() : page()),
    told: ['7 status_changed'],
  },
  'was away for a moment': {
    finds: (run) => (run % 6 === 5 ? gone() : page()),
    again: () => page(),
    told: [],
  },
  'was down for three days': {
    finds: (run) => (within(run, 12, 14) ? gone() : page()),
    told: ['12 unreachable', '15 recovered'],
  },
  'dies behind a wall': {
    finds: (run) => (within(run, 6, 12) ? walled() : run > 12 ? missing() : page()),
    told: ['13 status_changed'],
  },
  'sells out, and is a shell at times': {
    finds: (run) => (within(run, 9, 10) ? shell() : within(run, 8, 19) ? softly() : page()),
    told: ['8 soft404_appeared', '20 soft404_cleared'],
  },
  'is down, and so is our network at the second look': {
    finds: (run) => (within(run, 16, 18) ? gone() : page()),
    again: () => null,
    told: ['16 unreachable', '19 recovered'],
  },
  'was away for a moment while our network was down': {
    finds: (run) => (run === 16 ? gone() : page()),
    again: () => null,
    told: [],
  },
  'is away, then behind a wall, then back': {
    finds: (run) => (run === 16 ? gone() : run === 17 ? walled() : page()),
    again: () => walled(),
    told: [],
  },
  'is away, then missing': {
    finds: (run) => (run === 16 ? gone() : run > 16 ? missing() : page()),
    again: () => missing(),
    told: ['17 status_changed'],
  },
  'is answered for the first time late': { finds: (run) => (run < 5 ? null : missing()), told: [] },
};

const indexed: Record<string, Story<'index'>> = {
  steady: { finds: () => indexAnswer(true), told: [] },
  flaps: { finds: (run) => indexAnswer(run % 3 !== 0), again: () => indexAnswer(true), told: [] },
  'goes and comes': {
    finds: (run) => (run === 10 ? null : indexAnswer(!within(run, 9, 21))),
    told: ['9 deindexed', '22 indexed'],
  },
};

const at = (rank: number | null, more = {}) => rankAnswer(rank, more);
const ranked: Record<string, Story<'keyword'>> = {
  steady: { finds: () => at(4), told: [] },
  'is missing from shorter results': {
    finds: (run) => (run % 7 === 0 ? at(null, { pages: 3, results: 24 }) : at(45)),
    told: [],
  },
  'falls for a moment': { finds: (run) => at(run % 8 === 0 ? 40 : 6), again: () => at(6), told: [] },
  'drops out after a failed check': {
    finds: (run) => (run === 12 ? null : run < 12 ? at(8) : at(null)),
    told: ['13 not_ranked'],
  },
  'comes in and changes its page': {
    finds: (run) =>
      run < 5
        ? at(null)
        : at(7, { landing: run < 11 ? 'https://example.com/a?srsltid=1' : 'http://www.example.com/b/' }),
    told: ['5 ranked', '11 ranked_url_changed'],
  },
};

describe('thirty scripted runs', () => {
  const records = useRecords();
  let accountId: number;

  before(async () => {
    accountId = await records.account();
  });

  /** Simulates the runs, with a confirmation of each loss ten minutes later. Returns the events by subject. */
  async function live<T extends CheckType>(
    type: T,
    stories: Record<string, Story<T>>,
    inputOf: (name: string) => InputOf<T>,
  ): Promise<{ told: Record<string, string[]>; monitor: Monitored<T>; counted: number }> {
    const [names, all] = [Object.keys(stories), Object.values(stories)];
    const monitor = await monitored(records, accountId, type, names.map(inputOf));
    const numbers = new Map<string, number>();
    let counted = 0;
    for (let run = 1; run <= runs; run += 1) {
      const first = await monitor.run(
        toDate(run),
        all.map((story) => story.finds(run)),
      );
      numbers.set(first.runId, run);
      counted += first.changes;
      if (first.losses.length === 0) continue;
      const second = await monitor.run(
        new Date(toDate(run).getTime() + 600_000),
        all.map((story) => (story.again ?? story.finds)(run)),
        { confirms: first.runId, only: first.losses },
      );
      counted += second.changes;
      expect(second.losses).to.deep.equal([]);
    }
    const rows = await changes.list(records.db, accountId, { monitorId: monitor.monitorId, limit: 1000 });
    const told = Object.fromEntries(names.map((name): [string, string[]] => [name, []]));
    for (const row of rows.reverse()) {
      const place = monitor.subjects.findIndex(({ subjectId }) => subjectId === row.subjectId);
      told[names[place] ?? '']?.push(`${numbers.get(row.runId)} ${row.kind}`);
      expect(row.requestId).to.be.greaterThan(0);
    }
    return { told, monitor, counted };
  }

  const expected = (stories: Record<string, Story<never>>) =>
    Object.fromEntries(Object.entries(stories).map(([name, { told }]) => [name, told]));
  const toInput = (name: string) => ({ url: `https://example.com/${encodeURIComponent(name)}` });

  it('report changes of URLs that a person would report', async () => {
    const { told, counted } = await live('http', sites, toInput);
    expect(told).to.deep.equal(expected(sites));
    expect(counted).to.equal(Object.values(told).flat().length);
  });

  it('report changes of the index that a person would report', async () => {
    const { told } = await live('index', indexed, toInput);
    expect(told).to.deep.equal(expected(indexed));
  });

  it('report changes of ranks that a person would report', async () => {
    const { told } = await live('keyword', ranked, (keyword) => rankQuery({ keyword }));
    expect(told).to.deep.equal(expected(ranked));
  });

  it('are stored as one point per series of equal answers, a temporary loss as unconfirmed', async () => {
    const { monitor } = await live(
      'index',
      { flaps: indexed.flaps as Story<'index'>, steady: indexed.steady as Story<'index'> },
      toInput,
    );
    const { rows } = await sql<{ subjectId: number; value: number; flags: number; days: number }>`
      select subject_id, value, flags, extract(epoch from last_at - first_at)::int / 86400 as days from points
      where account_id = ${accountId} and subject_id = any(${monitor.subjects.map((one) => one.subjectId)}::bigint[])
      order by subject_id, first_at`.execute(records.db);
    const [flapping, steady] = monitor.subjects.map((one) =>
      rows.filter((row) => row.subjectId === one.subjectId),
    );
    expect(steady).to.have.lengthOf(1);
    expect(steady?.[0]).to.include({ value: 1, flags: 0, days: runs - 1 });
    const lost = flapping?.filter(({ value }) => value === 0) ?? [];
    expect(lost.map(({ flags }) => flags)).to.deep.equal(Array(runs / 3).fill(pointFlags.unconfirmed));
  });
});
