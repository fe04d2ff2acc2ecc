import { expect } from 'chai';
import { sql } from 'kysely';
import type { TestAccount } from '../../support/accounts.ts';
import { monitored } from '../../support/monitored.ts';
import { type CallOptions, useAccount, useService } from '../../support/service.ts';

describe('annotations of a monitor', () => {
  const service = useService();
  const account = useAccount(service, 0);
  let path: string;

  beforeEach(async () => {
    path = await createMonitor(account);
  });

  const createMonitor = async ({ accountId }: TestAccount) => {
    const { monitorId } = await monitored(service, accountId, 'index', [{ url: 'https://example.com/' }]);
    return `/monitors/${monitorId}/annotations`;
  };
  const call = (to: string, options: CallOptions = {}) =>
    service.call(to, { token: account.token, ...options });
  const note = (body: object) => call(path, { body });

  it('can be for a day, a moment or now, are listed newest first, and can be deleted', async () => {
    const day = await note({ at: '2026-11-18', text: ' New template ' });
    expect(day.status, day.text).to.equal(201);
    expect(day.body.annotation).to.include({ at: '2026-11-18T00:00:00+00:00', text: 'New template' });
    await note({ at: '2026-11-19T08:30:00+01:00', text: 'Launch' });
    const now = (await note({ text: 'Core update' })).body.annotation;
    const listed = (await call(path)).body;
    const texts = listed.data.map(({ at, text }: { at: string; text: string }) => [at, text]);
    const about = [now.at, '2026-11-19T07:30:00+00:00', '2026-11-18T00:00:00+00:00'].sort().reverse();
    expect(texts.map(([at]: string[]) => at)).to.deep.equal(about);
    const first = (await call(`${path}?per_page=1`)).body;
    const second = (await call(`${path}?per_page=1&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...second.data]).to.deep.equal(listed.data.slice(0, 2));
    expect((await call(`${path}/${now.annotation_id}`, { method: 'DELETE' })).status).to.equal(200);
    expect((await call(`${path}/${now.annotation_id}`, { method: 'DELETE' })).status).to.equal(404);
    expect((await call(path)).body.total).to.equal(2);
  });

  it('are rejected without a text or with an invalid date', async () => {
    for (const [body, field] of [
      [{}, 'text'],
      [{ text: ' ' }, 'text'],
      [{ text: 'x'.repeat(501) }, 'text'],
      [{ text: 'x', at: 'yesterday' }, 'at'],
      [{ text: 'x', at: '2026-13-01' }, 'at'],
    ] as const) {
      const { status, body: answer } = await note(body);
      expect([status, Object.keys(answer.errors ?? {})]).to.deep.equal([422, [field]]);
    }
    expect((await call(path)).body.total).to.equal(0);
  });

  it('belong to one monitor: the path of another monitor does not find them', async () => {
    const { annotation_id: id } = (await note({ text: 'Launch' })).body.annotation;
    expect((await call(`${await createMonitor(account)}/${id}`, { method: 'DELETE' })).status).to.equal(404);
    expect((await call(path)).body.total).to.equal(1);
  });

  it('have a limit of 1,000', async () => {
    await sql`
      insert into annotations (account_id, monitor_id, at, text)
      select ${account.accountId}, ${path.split('/')[2]}, now(), 'x' from generate_series(1, 1000)`.execute(
      service.db,
    );
    const { status, body } = await note({ text: 'one more' });
    expect([status, body.error]).to.deep.equal([409, 'too_many_annotations']);
  });
});
