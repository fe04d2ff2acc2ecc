import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { uncounted } from '../../../accounts/allowance.ts';
import { record } from '../../../batches/record.ts';
import * as tokens from '../../../db/accounts/tokens.ts';
import * as batches from '../../../db/batches/batches.ts';
import * as chunks from '../../../db/batches/chunks.ts';
import type * as items from '../../../db/batches/items.ts';
import * as deliveries from '../../../db/notifications/deliveries.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { recordAttempt } from '../../../webhooks/attempt.ts';
import type { Verdict } from '../../../webhooks/schedule.ts';
import type { TestAccount } from '../../support/accounts.ts';
import { createTestBoss } from '../../support/boss.ts';
import type { TestService } from '../../support/service.ts';

/** An account with a life behind it, for pictures. */
export interface Scene {
  owner: TestAccount;
  http: string;
  index: string;
  ranks: string;
  running: string;
  submission: string;
  /** Of 12,000 that have just been taken. */
  huge: string;
  canceled: string;
  /** Nothing in it could be checked. */
  skipped: string;
}

type Answer = (input: Record<string, unknown>, position: number) => unknown;

/** Batches are accepted over HTTP and answered by the verbs a worker uses; only the answers are made up. */
export async function setScene(service: TestService): Promise<Scene> {
  const owner = await service.account(26_000);
  const { directUrl: url, backend } = service.config.database;
  const boss = createTestBoss({ url, backend, max: 2, role: 'web' });
  await boss.start();

  const submit = async (path: string, body: object) =>
    (await service.call(path, { token: owner.token, body })).body.batch_id as string;
  const answer = async (batchId: string, act: Answer, share = 1) => {
    const ref = { accountId: owner.accountId, batchId };
    await batches.start(service.db, ref);
    await inTransaction(service.db, async (trx) => {
      const open = await chunks.unsettled(trx, (await batches.find(trx, ref)) as batches.BatchRow);
      const some = open.slice(0, Math.ceil(open.length * share));
      const recorded = some.map(({ request_id: requestId, chunkId, position, input }) => ({
        requestId,
        chunkId,
        position,
        input,
        // Shaped as answers are, made up field by field.
        result: act({ ...input }, position ?? 0) as items.ItemResult,
      }));
      await record(trx, { boss, allowance: uncounted }, ref, recorded);
    });
  };

  const rankings: string[] = [];
  for (let week = 0; week < 12; week++) {
    const batchId = await submit('/keyword-track', { queries, reference: 'Weekly ranks' });
    await answer(batchId, rankAnswer(week));
    rankings.push(batchId);
  }
  const index = await submit('/check/bulk', { urls: urls(640), reference: 'Index, whole shop' });
  await answer(index, indexAnswer);
  const hook = { webhook_url: 'https://hooks.shop.example/sonde', reference: 'October crawl' };
  const http = await submit('/http-status/bulk', { urls: urls(1840), ...hook, dedupe: true });
  await answer(http, httpAnswer);
  await deliver(service, boss, { accountId: owner.accountId, batchId: http });
  const running = await submit('/http-status/bulk', { urls: urls(1200), reference: 'November crawl' });
  await answer(running, httpAnswer, 0.42);

  const submission = randomUUID();
  for (const part of [0, 1]) {
    const together = { submission_id: submission, reference: 'Every page of the shop' };
    const half = urls(1000).map((url) => `${url}?part=${part}`);
    await answer(await submit('/http-status/bulk', { urls: half, ...together }), httpAnswer, 1 - part * 0.3);
  }
  const huge = randomUUID();
  for (let part = 0; part < 6; part++) {
    const some = urls(2000).map((url) => `${url}?page=${part}`);
    await submit('/http-status/bulk', { urls: some, submission_id: huge, reference: 'Whole archive' });
  }
  const canceled = await submit('/http-status/bulk', { urls: urls(200), reference: 'Stopped crawl' });
  await answer(canceled, httpAnswer, 0.04);
  await service.call(`/batch/${canceled}/cancel`, { token: owner.token, method: 'POST' });
  const words = { urls: ['shop', 'www', 'about us'], on_invalid: 'skip', reference: 'Words, no addresses' };
  const skipped = await submit('/http-status/bulk', words);

  for (const url of ['https://indexed.example/', 'https://not-indexed.example/sale']) {
    await service.call('/check', { token: owner.token, body: { url } });
  }

  await tokens.issue(service.db, owner.accountId, 'Nightly crawl');
  await tokens.issue(service.db, owner.accountId, 'Spreadsheet');
  await spreadOverTime(service, rankings);
  await boss.stop({ graceful: false });
  const ranks = rankings.at(-1) ?? '';
  return { owner, http, index, running, submission, huge, canceled, skipped, ranks };
}

async function deliver(
  service: TestService,
  boss: Parameters<typeof recordAttempt>[1],
  { accountId, batchId }: batches.BatchRef,
) {
  const act = async (attempt: Parameters<typeof recordAttempt>[3], verdict: Verdict) => {
    const delivery = await deliveries.find(service.db, { accountId, eventId: batchId });
    if (delivery) {
      await inTransaction(service.db, (trx) => recordAttempt(trx, boss, delivery, attempt, verdict));
    }
  };
  await act({ status: null, error: 'connect_refused', durationMs: 31 }, { retryAfterSeconds: 5 });
  await act({ status: 503, error: null, durationMs: 412 }, { retryAfterSeconds: 300 });
  await act({ status: 204, error: null, durationMs: 88 }, 'delivered');
}

/** What took a second here took weeks there. Triggers that keep the books are off for it, in this database only. */
async function spreadOverTime({ db }: TestService, rankings: string[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const [week, batchId] of rankings.toReversed().entries()) {
      const ago = sql`(${week * 7} * interval '1 day' + interval '3 hours')`;
      await sql`update history set checked_at = checked_at - ${ago} where batch_id = ${batchId}`.execute(trx);
      await sql`update batches set created_at = created_at - ${ago}, completed_at = completed_at - ${ago}
        where batch_id = ${batchId}`.execute(trx);
    }
    await sql`update ledger_entries set created_at = now() - interval '29 days' + entry_no * interval '29 days'
      / (select max(entry_no) + 1 from ledger_entries)`.execute(trx);
    await sql`update batches set created_at = created_at - interval '5 minutes' where reference like '%crawl'`.execute(
      trx,
    );
    await sql`update api_tokens set last_used_at = now() - interval '20 minutes' where name = 'Nightly crawl'`.execute(
      trx,
    );
    await sql`update attempts set attempted_at = attempted_at - (4 - attempt_no) * interval '3 minutes'`.execute(
      trx,
    );
  });
}

function urls(count: number): string[] {
  const sections = ['shoes', 'bags', 'sale', 'blog', 'help'];
  const words = ['trail', 'leather', 'classic', 'summer', 'light', 'city', 'winter', 'red'];
  return Array.from({ length: count }, (_, number) => {
    const [section, word] = [sections[number % 5], words[(number * 7) % 8]];
    return `https://shop.example/${section}/${word}-${1000 + number}`;
  });
}

const queries = [
  'running shoes',
  'trail running shoes',
  'leather bag',
  'city bag',
  'red shoes',
  'shoe care',
].map((keyword) => ({ keyword, url: 'shop.example' }));

function rankAnswer(week: number): Answer {
  return ({ keyword }, position) => {
    const base = [14, 38, 6, 22, 3, 71][position % 6] ?? 9;
    const rank = Math.max(
      1,
      Math.round(base - week * (base / 16) + Math.sin(week * 1.7 + position) * (base / 6)),
    );
    const isFound = !(position === 5 && week < 4);
    const outcome = {
      found: isFound,
      rank: isFound ? rank : null,
      ranked_url: isFound ? `https://shop.example/${String(keyword).replaceAll(' ', '-')}` : null,
      page: isFound ? Math.ceil(rank / 10) : null,
      position_on_page: isFound ? ((rank - 1) % 10) + 1 : null,
      pages_searched: isFound ? Math.ceil(rank / 10) : 10,
      featured_snippet_url: null,
      provider: 'serpapi',
    };
    const tops = [3, 10, 20, 100].filter((top) => rank <= top).map((top) => `top_${top}`);
    return { outcome, tally: isFound ? ['ranked', ...tops] : ['not_ranked'] };
  };
}

const indexAnswer: Answer = ({ url }, position) => {
  if (position % 97 === 41) return { error: 'google_unreadable' };
  const isIndexed = position % 9 !== 4;
  const outcome = {
    is_indexed: isIndexed,
    engine: 'google',
    match: isIndexed ? (position % 7 === 2 ? 'variant' : 'exact') : null,
    matched_url: isIndexed ? `${url}${position % 7 === 2 ? '?ref=home' : ''}` : null,
    found_by: isIndexed ? 'url' : null,
    similar_url: !isIndexed && position % 2 === 0 ? `${url}?colour=black` : null,
    provider: 'serpapi',
  };
  return { outcome, tally: [isIndexed ? 'indexed' : 'not_indexed'] };
};

const httpAnswer: Answer = ({ url }, position) => {
  if (position % 211 === 7) return { error: 'checker_unreachable' };
  const kind = position % 23;
  const isSoft = kind === 6 || kind === 17;
  const isMoved = kind === 3 || kind === 11;
  const status = kind === 4 || kind === 13 ? 404 : kind === 9 ? 500 : kind === 19 && position % 2 ? 0 : 200;
  const outcome = {
    status,
    is_soft404: isSoft && status === 200,
    initial_status: isMoved ? 301 : status,
    redirect_count: isMoved ? 2 : 0,
    redirects: isMoved
      ? [
          { url, status: 301 },
          { url: `${url}/`, status: 302 },
        ]
      : [],
    final_url: isMoved ? `https://www.shop.example/new/${position}` : url,
    content_type: status ? 'text/html; charset=utf-8' : null,
    response_time_ms: 60 + ((position * 37) % 420),
    soft404_checked: status === 200,
    soft404_reasons: isSoft ? ['title_not_found', 'heading_unavailable', 'short_text'] : [],
    bot_wall: null,
    error: status === 0 ? 'connect_timeout' : null,
  };
  const tally = [
    status ? `status_${Math.floor(status / 100)}xx` : 'unreachable',
    ...(isMoved ? ['redirected'] : []),
    ...(outcome.is_soft404 ? ['soft404'] : []),
  ];
  return { outcome, tally };
};
