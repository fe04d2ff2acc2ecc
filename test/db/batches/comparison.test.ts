import { expect } from 'chai';
import { sql } from 'kysely';
import * as batches from '../../../db/batches/batches.ts';
import * as comparison from '../../../db/batches/comparison.ts';
import type { CheckType } from '../../../schemas/check-types.ts';
import { changes } from '../../../schemas/comparison.ts';
import { useRecords } from '../../support/records.ts';

type Entry = [input: object, outcome: object | null];

describe('the comparison of a batch with an earlier one', () => {
  const records = useRecords();
  let accountId: number;
  let made = 0;

  before(async () => {
    accountId = await records.account();
  });

  /** Inserts an ended batch; entries without an outcome have failed. */
  async function store(
    type: CheckType,
    entries: Entry[],
    { againOf = null, name = null }: { againOf?: string | null; name?: string | null } = {},
  ): Promise<batches.BatchRow> {
    made += 1;
    const batchId = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
    const successful = entries.filter(([, outcome]) => outcome).length;
    const status = successful === entries.length ? 'completed' : 'partial';
    await sql`
      insert into batches (account_id, batch_id, type, first_request_id, total, successful, failed, status, created_at,
        started_at, completed_at, again_of, name)
      values (${accountId}, ${batchId}, ${type}, ${made * 10_000}, ${entries.length}, ${successful}, ${entries.length - successful},
        ${status}, now() + ${made} * interval '1 second', now(), now(), ${againOf}, ${name})`.execute(
      records.db,
    );
    const rows = entries.map(([input, outcome], position) => ({ position, input, outcome }));
    await sql`
      insert into items (account_id, request_id, batch_id, position, type, state, input, outcome, error)
      select ${accountId}, ${made * 10_000}::bigint + position, ${batchId}, position, ${type},
        case when outcome is null then 'failed' else 'success' end, input, outcome,
        case when outcome is null then 'checker_failed' end
      from json_to_recordset(${JSON.stringify(rows)}::json) as row (position int, input json, outcome json)`.execute(
      records.db,
    );
    return (await batches.find(records.db, { accountId, batchId })) as batches.BatchRow;
  }

  const http = (path: string, status: number | null, more = {}): Entry => [
    { url: `http://a.example/${path}` },
    status === null
      ? null
      : { status, is_soft404: false, final_url: `http://a.example/${path}`, noindex: null, ...more },
  ];

  async function listChanges(sides: comparison.ComparedBatches): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const change of changes) {
      const { rows, total } = await comparison.page(records.db, sides, { change, limit: 50, offset: 0 });
      expect(total).to.equal((await comparison.count(records.db, sides)).changes[change]);
      found[change] = rows.map(({ now, before }) => {
        const { input } = (now ?? before) as { input: { url?: string; keyword?: string } };
        return String(input.url ?? input.keyword).replace('http://a.example/', '');
      });
    }
    return found;
  }

  it('lists fixed, broken and otherwise changed items', async () => {
    const before = await store('http', [
      http('mended', 404),
      http('broke', 200),
      http('softened', 200),
      http('moved', 200),
      http('still dead', 404),
      http('silent', 404),
      http('as it was', 200),
      http('unread', 200),
      http('left out', 200),
    ]);
    const now = await store('http', [
      http('new', 200),
      http('unread', null),
      http('as it was', 200),
      http('silent', 0),
      http('still dead', 404),
      http('moved', 200, { final_url: 'http://a.example/else' }),
      http('softened', 200, { is_soft404: true }),
      http('broke', 500),
      http('mended', 200),
    ]);
    expect(await listChanges({ now: [now], before: [before] })).to.deep.equal({
      broken: ['softened', 'broke'],
      fixed: ['mended'],
      changed: ['silent', 'moved'],
      added: ['new'],
      gone: ['left out'],
      unknown: ['unread'],
      same: ['as it was', 'still dead'],
    });
  });

  it('pairs repeated inputs by their order, and queries by keyword and device', async () => {
    const twice = await store('http', [http('a', 200), http('a', 404)]);
    const thrice = await store('http', [http('a', 200), http('a', 200), http('a', 200)]);
    const counts = await comparison.count(records.db, { now: [thrice], before: [twice] });
    const { fixed, same, added } = counts.changes;
    expect({ fixed, same, added }).to.deep.equal({ fixed: 1, same: 1, added: 1 });

    const query = (keyword: string, device: string, rank: number | null): Entry => [
      { keyword, target_url: 'a.example', country: 'US', language: 'en', device },
      { rank, ranked_url: rank && 'https://a.example/' },
    ];
    const then = await store('keyword', [
      query('shoes', 'desktop', 3),
      query('shoes', 'mobile', 9),
      query('bags', 'desktop', 1),
    ]);
    const later = await store('keyword', [
      query('shoes', 'desktop', 3),
      query('shoes', 'mobile', 2),
      query('bags', 'desktop', null),
    ]);
    const ranks = await listChanges({ now: [later], before: [then] });
    expect([ranks.same, ranks.changed, ranks.broken]).to.deep.equal([['shoes'], ['shoes'], ['bags']]);
  });

  it('treats the batches of a run as one list', async () => {
    const before = [
      await store('http', [http('a', 200), http('b', 404)]),
      await store('http', [http('c', 200), http('a', 404)]),
    ];
    const now = [
      await store('http', [http('c', 404)]),
      await store('http', [http('a', 200), http('d', 200)]),
    ];
    const found = await listChanges({ now, before });
    expect(found).to.deep.include({ broken: ['c'], added: ['d'], gone: ['b', 'a'], same: ['a'] });
    const all: string[] = [];
    for await (const page of comparison.readAll(records.db, { now, before }, {}))
      all.push(...page.map(({ change }) => change));
    expect(all).to.deep.equal(['broken', 'same', 'added', 'gone', 'gone']);
  });

  it('uses the repeated batch, or the last one with the same name', async () => {
    const last = async (batch: batches.BatchRow) =>
      (await comparison.findPrevious(records.db, batch))?.batchId ?? null;
    const first = await store('http', [http('a', 200)], { name: 'weekly' });
    await store('index', [[{ url: 'a' }, { is_indexed: true }]], { name: 'weekly' });
    const second = await store('http', [http('a', 200)], { name: 'weekly' });
    const repeated = await store('http', [http('a', 200)], { name: 'weekly', againOf: first.batchId });
    expect(await last(first)).to.equal(null);
    expect(await last(second)).to.equal(first.batchId);
    expect(await last(repeated)).to.equal(first.batchId);
    expect(await last(await store('http', [http('a', 200)]))).to.equal(null);
    await sql`update batches set purged_at = now() where batch_id = ${first.batchId}`.execute(records.db);
    expect(await last(repeated)).to.equal(second.batchId);
  });
});
