import { sql } from 'kysely';
import * as invitations from '../../../db/accounts/invitations.ts';
import * as memberships from '../../../db/accounts/memberships.ts';
import * as users from '../../../db/accounts/users.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import type { AnswerOf, CheckType, InputOf } from '../../../schemas/check-types.ts';
import type { TestAccount } from '../../support/accounts.ts';
import { signedIn } from '../../support/dashboard.ts';
import { type Monitored, monitored } from '../../support/monitored.ts';
import type { TestService } from '../../support/service.ts';
import { setTold, type Told } from './scene-told.ts';

/** An account that watches, for pictures: its monitors by type, the first subject of each one that changed. */
export interface WatchScene {
  owner: TestAccount;
  http: string;
  index: string;
  keyword: string;
  /** Deliveries of what is no batch. */
  told: Told;
  /** The page that a link to join leads to. */
  invitation: string;
}

const dayMs = 86_400_000;
const fortnight = Array.from({ length: 14 }, (_, day) => 13 - day);
/** Weekly until the last fortnight, which is daily. */
const year = [...Array.from({ length: 50 }, (_, week) => 14 + (50 - week) * 7), ...fortnight];

/** Runs are settled by the real verbs; what they found is made up. */
export async function setWatchScene(service: TestService): Promise<WatchScene> {
  const owner = await service.account(5000);
  await signedIn(service, owner);
  const { accountId } = owner;
  const paths = ['shoes', 'bags', 'sale', 'blog/spring', 'help', 'shoes/trail-running-with-a-long-name-1042'];
  const pages = paths.map((path) => ({ url: `https://shop.example/${path}` }));
  const terms = {
    country: 'US',
    language: 'en',
    device: 'desktop',
    full: false,
    start_page: 1,
    end_page: 10,
  };
  const queries = ['running shoes', 'trail running shoes', 'leather bag', 'red shoes'].map(
    (keyword) => ({ ...terms, keyword, target_url: 'shop.example' }) as InputOf<'keyword'>,
  );
  const http = await watch(service, owner, 'http', 'Pages of the shop', pages, (day, place) =>
    httpAnswer(
      day >= 13 && place === 2 ? 404 : day === 6 && place === 4 ? 500 : 200,
      day >= 9 && place === 0,
    ),
  );
  const index = await watch(service, owner, 'index', 'Google index of the shop', pages, (day, place) => {
    const isIndexed = !(place === 3 && day >= 13) && !(place === 5 && day < 5);
    const matched = isIndexed ? pages[place]?.url : null;
    return {
      is_indexed: isIndexed,
      engine: 'google',
      match: isIndexed ? 'exact' : null,
      matched_url: matched,
    };
  });
  const keyword = await watch(
    service,
    owner,
    'keyword',
    'Ranks of shop.example',
    queries,
    (day, place) => {
      const wave = Math.round(Math.sin(day * 0.9 + place) * 2);
      const rank =
        ([34, 58, 16, 9][place % 4] ?? 9) + wave - Math.floor((Math.max(0, day + 50) * (place + 1)) / 8);
      const isRanked = !(place === 3 && day >= 13);
      const url = `https://shop.example/${String(queries[place]?.keyword).replaceAll(' ', '-')}`;
      const found = isRanked
        ? { rank: Math.max(1, rank), ranked_url: url }
        : { rank: null, ranked_url: null };
      return { found: isRanked, ...found, pages_searched: 10 };
    },
    year,
  );
  const told = await setTold(service, accountId, keyword.split('/').at(-1) ?? '');
  const invitation = await people(service, owner);
  await sql`update memberships set visited_at = now() - interval '20 hours', last_visit_at = now() - interval '20 hours'
    where account_id = ${accountId}`.execute(service.db);
  return { owner, http, index, keyword, told, invitation };
}

/** A monitor of 10,000 addresses, which has just been made. */
export async function setLarge(service: TestService, { accountId }: TestAccount): Promise<string> {
  const inputs = Array.from({ length: 10_000 }, (_, n) => ({ url: `https://shop.example/archive/${n + 1}` }));
  const { monitorId } = await monitored(service, accountId, 'http', inputs);
  await sql`update monitors set name = 'Whole archive', status = 'paused', paused_reason = 'insufficient_credits',
    next_run_at = null where account_id = ${accountId} and monitor_id = ${monitorId}`.execute(service.db);
  return `/monitors/${monitorId}`;
}

const httpAnswer = (status: number, isMoved: boolean) => ({
  status,
  is_soft404: false,
  soft404_checked: status === 200,
  final_url: isMoved ? 'https://www.shop.example/' : 'https://shop.example/',
});

/** The path of its page. */
async function watch<T extends CheckType>(
  service: TestService,
  { accountId }: TestAccount,
  type: T,
  name: string,
  inputs: InputOf<T>[],
  answer: (day: number, place: number) => object,
  daysAgo: number[] = fortnight,
): Promise<string> {
  const monitor = await monitored(service, accountId, type, inputs, { confirmLosses: false });
  await sql`update monitors set name = ${name} where account_id = ${accountId}
    and monitor_id = ${monitor.monitorId}`.execute(service.db);
  for (const ago of daysAgo) {
    const at = new Date(Date.now() - ago * dayMs - 3_600_000);
    const answers = inputs.map(
      (_, place) => answer(13 - Math.ceil(ago > 13 ? 13 + (ago - 13) / 7 : ago), place) as AnswerOf<T>,
    );
    const { runId } = await monitor.run(at, answers);
    await keepRun(service, monitor, { runId, at });
  }
  return `/monitors/${monitor.monitorId}`;
}

/** The run itself, which a service would have made and charged before its batch. */
async function keepRun<T extends CheckType>(
  { db }: TestService,
  { accountId, monitorId }: Monitored<T>,
  { runId, at }: { runId: string; at: Date },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`
      insert into monitor_runs (account_id, run_id, monitor_id, kind, due_at, status, batch_id, batch_ids, entry_no,
        credits_charged, subjects, checked, changes, created_at, started_at, finished_at)
      select account_id, ${runId}, ${monitorId}, 'check', ${at}, 'completed', batch_id, array[batch_id], 1, total, total,
        total, (select count(*) from changes where account_id = ${accountId} and run_id = ${runId}), ${at}, ${at},
        ${at}::timestamptz + interval '2 minutes'
      from batches where account_id = ${accountId} order by completed_at desc limit 1`.execute(trx);
    await sql`update batches set name = (select name from monitors where account_id = ${accountId}
      and monitor_id = ${monitorId}) where account_id = ${accountId} and name is null`.execute(trx);
    await sql`update changes set at = ${at} where account_id = ${accountId} and run_id = ${runId}`.execute(
      trx,
    );
  });
}

async function people({ db }: TestService, { accountId }: TestAccount): Promise<string> {
  const { key } = await inTransaction(db, (trx) => {
    const asked = { accountId, email: 'linus@shop.example', role: 'viewer' as const };
    return invitations.create(trx, { ...asked, invitedBy: null });
  });
  // Before others are invited, one's own address is proved.
  await sql`update users set email_confirmed_at = now(), credits_at_confirmation = 0
    where account_id = ${accountId}`.execute(db);
  const other = await users.create(db, { accountId, email: 'grace@shop.example', passwordHash: null });
  await memberships.setRole(db, accountId, other, 'member');
  return `/invitation?key=${key}`;
}
