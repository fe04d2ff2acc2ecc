import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { useService } from '../support/service.ts';

describe('batches of one submission', () => {
  const service = useService();

  it('have the caller’s id in the 202, in the batch and in the list, which can be filtered by it', async () => {
    const { token } = await service.account(100);
    const call = (path: string, body?: object) => service.call(path, { token, body });
    const id = randomUUID();
    const urls = ['https://indexed.example/'];
    const queries = ['shoes', 'bags'].map((keyword) => ({ keyword, url: 'a.example' }));
    const accepted = [
      await call('/check/bulk', { urls, submission_id: id }),
      await call('/http-status/bulk', { urls, submission_id: id.toUpperCase() }),
      await call('/keyword-track', { queries, submission_id: id }),
    ];
    expect(accepted.map(({ status }) => status)).to.deep.equal([202, 202, 202]);
    expect(accepted[0]?.body.submission_id).to.equal(id);
    const alone = await call('/check/bulk', { urls });
    expect(alone.body).not.to.have.property('submission_id');
    expect((await call(`/batch/${alone.body.batch_id}`)).body.submission_id).to.equal(null);

    const { body } = await call(`/batches?submission_id=${id}`);
    expect(body.total).to.equal(3);
    expect(body.data.map((one: { batch_id: string }) => one.batch_id)).to.have.members(
      accepted.map((one) => one.body.batch_id),
    );
    expect(body.data.map((one: { submission_id: string }) => one.submission_id)).to.deep.equal([id, id, id]);
    const stranger = await service.account(1);
    expect(
      (await service.call(`/batches?submission_id=${id}`, { token: stranger.token })).body.total,
    ).to.equal(0);
  });
});
