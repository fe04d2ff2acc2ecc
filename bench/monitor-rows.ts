import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { MonitorRef } from '../db/monitors.ts';
import { httpAnswer, rankAnswer, rankQuery } from '../test/support/answers.ts';
import { type Monitored, monitored } from '../test/support/monitored.ts';

/** Rank queries of an account with a rank for each day up to now, each other than the one before. */
export async function fillRanks(
  db: Db,
  accountId: number,
  { subjects, days }: { subjects: number; days: number },
): Promise<MonitorRef> {
  const queries = Array.from({ length: subjects }, (_, n) => rankQuery({ keyword: `keyword ${n}` }));
  const ranks = await monitored({ db }, accountId, 'keyword', queries, { confirmLosses: false });
  const { monitorId } = ranks;
  await ranks.run(
    new Date(),
    queries.map((_, n) => rankAnswer((n % 90) + 1)),
  );
  await sql`
    insert into points (account_id, subject_id, first_at, last_at, value, flags)
    select ${accountId}, subject_id, now() - day * interval '1 day', now() - day * interval '1 day',
      (subject_id + day) % 90 + 1, 0
    from subjects cross join generate_series(1, ${days - 1}::int) as day
    where account_id = ${accountId} and monitor_id = ${monitorId}`.execute(db);
  await repeatTally(db, { accountId, monitorId }, days - 1, '1 day');
  await sql`vacuum analyze points, run_tallies, subjects, baselines`.execute(db);
  return { accountId, monitorId };
}

/** Addresses that answer the same in every run, of which the last `settled` are settled as they come from a worker. */
export async function fillUnchanged(
  db: Db,
  accountId: number,
  { subjects, runs, settled }: { subjects: number; runs: number; settled: number },
): Promise<Monitored<'http'>> {
  const urls = Array.from({ length: subjects }, (_, n) => ({ url: `https://shop.example/articles/${n}` }));
  const pages = await monitored({ db }, accountId, 'http', urls);
  const answers = urls.map(() => httpAnswer());
  const hourMs = 3_600_000;
  for (let hour = settled - 1; hour >= 0; hour--)
    await pages.run(new Date(Date.now() - hour * hourMs), answers);
  await repeatTally(db, pages, runs - settled, '1 hour');
  await sql`vacuum analyze points, run_tallies, subjects, baselines`.execute(db);
  return pages;
}

/** What the latest run counted, for runs before all that are there. */
async function repeatTally(
  db: Db,
  { accountId, monitorId }: MonitorRef,
  times: number,
  apart: string,
): Promise<void> {
  const rows = Array.from({ length: times }, () => randomUUID());
  await sql`
    with bounds as (
      select min(at) as first_at, max(at) as last_at from run_tallies
      where account_id = ${accountId} and monitor_id = ${monitorId})
    insert into run_tallies (account_id, monitor_id, at, run_id, tally, groups)
    select account_id, monitor_id, first_at - nth * ${apart}::interval, id, tally, groups
    from bounds join run_tallies on at = last_at
      cross join unnest(${rows}::uuid[]) with ordinality as earlier (id, nth)
    where account_id = ${accountId} and monitor_id = ${monitorId}`.execute(db);
}
