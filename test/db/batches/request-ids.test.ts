import { expect } from 'chai';
import { sql } from 'kysely';
import { createRequestIds } from '../../../db/batches/request-ids.ts';
import { useRecords } from '../../support/records.ts';

describe('request ids', () => {
  const records = useRecords();

  it('are not issued again by a restored database', async () => {
    const { db } = records;
    const issued = await createRequestIds(db).reserve(1);
    // Sets the sequence back by an hour, as after the restore of a backup.
    await sql`select setval('request_ids', ${issued - 36_000_000})`.execute(db);
    await sql`select pg_sleep(1.1)`.execute(db);
    expect(await createRequestIds(db).reserve(1)).to.be.above(issued);
  });

  it('are kept for at most an hour by a process that uses few', async () => {
    let clockMs = 0;
    const ids = createRequestIds(records.db, () => clockMs);
    const first = await ids.reserve(1);
    clockMs = 3_599_999;
    expect(await ids.reserve(1)).to.equal(first + 1);
    clockMs = 3_600_000;
    expect(await ids.reserve(1)).to.be.at.least(first + 10_000);
  });

  it('are used once across all processes', async () => {
    const processes = Array.from({ length: 10 }, () => createRequestIds(records.db));
    const firsts = await Promise.all(
      processes.flatMap((ids) => [ids.reserve(6000), ids.reserve(6000), ids.reserve(1)]),
    );
    const taken = firsts.flatMap((first, at) =>
      Array.from({ length: at % 3 === 2 ? 1 : 6000 }, (_, i) => first + i),
    );
    expect(new Set(taken).size).to.equal(taken.length);
    expect(Math.max(...firsts)).to.be.below(Number.MAX_SAFE_INTEGER / 100);
  });
});
