import { expect } from 'chai';
import { type KyselyPlugin, sql } from 'kysely';
import { FairLimit } from '../../../../process/fair-limit.ts';
import { writeBatchList } from '../../../../server/dashboard/intake/earlier-lists.ts';
import { useService } from '../../../support/service.ts';

const entries = 450;
const batchId = '00000000-0000-4000-8000-000000000001';

describe('the list of an earlier batch', () => {
  const service = useService();

  it('is read page by page, without the results', async () => {
    const { accountId } = await service.account();
    await sql`
      insert into batches (account_id, batch_id, type, first_request_id, total, failed, status, started_at, completed_at)
      values (${accountId}, ${batchId}, 'http', 1, ${entries}, ${entries}, 'failed', now(), now())`.execute(
      service.db,
    );
    await sql`
      insert into items (account_id, request_id, batch_id, position, type, state, input, error)
      select ${accountId}, 1 + n, ${batchId}, n, 'http', 'failed',
        json_build_object('url', 'https://example.com/' || n), case n % 2 when 0 then 'canceled' else 'invalid_url' end
      from generate_series(0, ${entries} - 1) as n`.execute(service.db);

    const seen = { longest: 0, columns: new Set<string>() };
    const watching: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        const rows = result.rows.filter((row) => 'input' in row);
        seen.longest = Math.max(seen.longest, rows.length);
        for (const column of Object.keys(rows[0] ?? {})) seen.columns.add(column);
        return result;
      },
    };
    const longQueries = new FairLimit({ total: 1 });
    const never = new AbortController().signal;
    const deps = { db: service.db.withPlugin(watching), longQueries };
    const text = await writeBatchList(deps, { accountId, batchId }, {}, never);
    expect(text.split('\n')).to.deep.equal(
      Array.from({ length: entries }, (_, n) => `https://example.com/${n}`),
    );
    expect([...seen.columns]).to.have.members(['input', 'position']);
    expect(seen.longest).to.equal(200);

    const canceled = await writeBatchList(deps, { accountId, batchId }, { show: 'canceled' }, never);
    expect(canceled.split('\n')).to.have.length(entries / 2);
  });
});
