import { expect } from 'chai';
import type { KyselyPlugin } from 'kysely';
import { sql } from 'kysely';
import { prepareCheckAgain } from '../../batches/check-again.ts';
import type { ResultFilter } from '../../db/batches/results.ts';
import { InsufficientCreditsError } from '../../db/ledger/ledger.ts';
import { useService } from '../support/service.ts';

const perBatch = 40;

describe('a check again of selected items', () => {
  const service = useService();

  async function ended(accountId: number, count: number): Promise<string[]> {
    const { rows } = await sql<{ batchId: string }>`
      insert into batches (account_id, batch_id, type, first_request_id, total, failed, skipped, status, started_at,
        completed_at)
      select ${accountId}, gen_random_uuid(), 'http', ${accountId} * 100000 + nth * ${perBatch}, ${perBatch}, ${perBatch}, 1,
        'failed', now(), now()
      from generate_series(1, ${count}) as nth returning batch_id`.execute(service.db);
    await sql`
      insert into items (account_id, request_id, batch_id, position, type, state, input, error)
      select ${accountId}, first_request_id + n, batch_id, n, 'http', 'failed',
        json_build_object('url', 'https://example.com/' || n),
        case n when 0 then 'invalid_url' when 1 then 'canceled' else 'checker_failed' end
      from batches, generate_series(0, ${perBatch} - 1) as n where account_id = ${accountId}`.execute(
      service.db,
    );
    return rows.map(({ batchId }) => batchId);
  }

  /** Prepares a check of five failed batches. Returns its error, if any, and the number of inputs that were read. */
  async function refused(credits: number, { show }: { show?: ResultFilter }) {
    const { accountId } = await service.account(credits);
    let inputs = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        inputs += result.rows.filter((row) => 'input' in row).length;
        return result;
      },
    };
    const deps = {
      db: service.db.withPlugin(counting),
    };
    const refs = (await ended(accountId, 5)).map((batchId) => ({ accountId, batchId }));
    const choice = show ? { selection: { show } } : {};
    const error = await prepareCheckAgain(deps, refs, choice).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { error, inputs };
  }

  it('reads no input for an account that cannot pay for all items', async () => {
    const { error, inputs } = await refused(5 * (perBatch - 1) - 1, {});
    expect(error).to.be.instanceOf(InsufficientCreditsError).and.to.include({ needed: 195, available: 194 });
    expect(inputs).to.equal(0);
  });

  it('counts a selection without reading its inputs', async () => {
    const { error, inputs } = await refused(4, { show: 'canceled' });
    expect(error).to.be.instanceOf(InsufficientCreditsError).and.to.include({ needed: 5, available: 4 });
    expect(inputs).to.equal(0);
    expect(await refused(5, { show: 'canceled' })).to.deep.equal({ error: undefined, inputs: 5 });
  });
});
