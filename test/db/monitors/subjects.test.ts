import { expect } from 'chai';
import * as subjects from '../../../db/monitors/subjects.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import type { InputOf } from '../../../schemas/check-types.ts';
import { rankQuery } from '../../support/answers.ts';
import { monitored } from '../../support/monitored.ts';
import { useRecords } from '../../support/records.ts';

describe('the subjects of a monitor', () => {
  const records = useRecords();

  const shallow = rankQuery({ keyword: 'desk', end_page: 2 });
  const deep = rankQuery({ keyword: 'desk', end_page: 10, full: true, competitor_urls: ['b.example'] });
  const bed = rankQuery({ keyword: 'bed' });

  const create = async (inputs: InputOf<'keyword'>[]) => {
    const { accountId, monitorId } = await monitored(records, await records.account(), 'keyword', inputs);
    const ref = { accountId, monitorId };
    const list = async () =>
      (await subjects.listCurrent(records.db, ref)).map(({ subjectId, input }) => ({ subjectId, input }));
    const replace = (replaced: InputOf[]) =>
      inTransaction(records.db, (trx) =>
        subjects.replace(trx, ref, { inputs: replaced, removalReason: 'removed', runId: null }),
      );
    return { ref, list, replace };
  };

  it('stay the same when competitors are added and removed, and when another depth is read', async () => {
    const { list, replace } = await create([shallow, bed]);
    const [desk, other] = await list();
    for (const changed of [deep, shallow, { ...shallow, end_page: 1 }]) {
      await replace([changed, bed]);
      expect(await list()).to.deep.equal([{ subjectId: desk?.subjectId, input: changed }, other]);
    }
    const mobile = rankQuery({ ...shallow, device: 'mobile' });
    await replace([mobile, bed]);
    expect((await list())[0]?.subjectId).not.to.equal(desk?.subjectId);
  });

  it('are as many as a list has depths of a query', async () => {
    const { list, replace } = await create([shallow, deep]);
    const [first, second] = await list();
    await replace([deep, { ...shallow, end_page: 3 }, shallow]);
    const [again, added, kept] = await list();
    expect([again, kept?.subjectId]).to.deep.equal([second, first?.subjectId]);
    await replace([
      { ...shallow, end_page: 3 },
      { ...shallow, end_page: 5 },
    ]);
    const now = await list();
    expect(now[0]?.subjectId).to.equal(added?.subjectId);
    expect([first?.subjectId, second?.subjectId]).to.include(now[1]?.subjectId);
    await replace([6, 7].map((end) => ({ ...shallow, end_page: end })));
    expect((await list()).map(({ subjectId }) => subjectId)).to.deep.equal(
      now.map(({ subjectId }) => subjectId),
    );
  });

  it('get no answer of another depth if there are several, and no second answer', async () => {
    const { ref, list, replace } = await create([shallow, deep]);
    const [first] = await list();
    await replace([shallow, { ...deep, end_page: 9 }]);
    expect(await subjects.findIds(records.db, ref, [shallow, deep])).to.deep.equal([first?.subjectId, null]);
    await replace([{ ...deep, end_page: 9 }]);
    await replace([shallow]);
    const ids = await subjects.findIds(records.db, ref, [shallow, { ...shallow, end_page: 4 }]);
    expect(ids).to.deep.equal([first?.subjectId, null]);
  });

  it('come back after a removal, also at another depth: in a new list, and when added', async () => {
    const { ref, list, replace } = await create([shallow, bed]);
    const [desk] = await list();
    await replace([bed]);
    await replace([bed, deep]);
    expect((await list())[1]).to.deep.equal({ subjectId: desk?.subjectId, input: deep });
    await replace([bed]);
    const added = { ...shallow, end_page: 5, tag: 'new' };
    await inTransaction(records.db, (trx) => subjects.append(trx, ref, [added], 1));
    expect((await list())[1]).to.deep.equal({ subjectId: desk?.subjectId, input: added });
    const [, row] = await subjects.list(records.db, ref, { limit: 9 });
    expect([row?.leftAt, row?.leftReason]).to.deep.equal([null, null]);
  });

  it('come back as the last removed one of several depths', async () => {
    const { list, replace } = await create([shallow, deep]);
    const [first] = await list();
    await replace([shallow]);
    await replace([bed]);
    await replace([bed, { ...shallow, end_page: 4 }]);
    expect((await list())[1]?.subjectId).to.equal(first?.subjectId);
  });

  it('are found at another depth: for an addition, and for the answer to an older list', async () => {
    const { ref, list, replace } = await create([shallow, bed]);
    const [desk] = await list();
    const added = await subjects.withoutCurrent(records.db, ref, [deep, rankQuery({ keyword: 'lamp' })]);
    expect(added).to.deep.equal([rankQuery({ keyword: 'lamp' })]);
    await replace([deep]);
    const ids = await subjects.findIds(records.db, ref, [rankQuery({ keyword: 'lamp' }), shallow]);
    expect(ids).to.deep.equal([null, desk?.subjectId]);
  });
});
