import { expect } from 'chai';
import { sql } from 'kysely';
import { useService } from '../support/service.ts';
import { serve } from '../support/web.ts';

describe('a database with a full disk', () => {
  const service = useService();

  before(async () => {
    await sql`create function is_full() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
      service.db,
    );
  });

  it('leads to 503, with no charge and no request to the target', async () => {
    const { accountId, token } = await service.account(10);
    let visits = 0;
    const site = await serve((_req, res) => {
      visits += 1;
      res.end();
    });
    await sql`create trigger is_full before insert on chunks for each row execute function is_full()`.execute(
      service.db,
    );
    const single = await service.call('/http-status', { token, body: { url: site.url } });
    const bulk = await service.call('/http-status/bulk', { token, body: { urls: [site.url] } });
    for (const { status, body, headers } of [single, bulk]) {
      expect([status, body.error]).to.deep.equal([503, 'service_unavailable']);
      expect(headers.get('retry-after')).to.equal('5');
    }
    expect([visits, await service.credits(accountId)]).to.deep.equal([0, 10]);
    await sql`drop trigger is_full on chunks`.execute(service.db);
    expect((await service.call('/http-status', { token, body: { url: site.url } })).status).to.equal(200);
    await site.close();
  });

  it('keeps searches waiting that cannot be counted, and sends none', async () => {
    const { token } = await service.account(10);
    await sql`create trigger is_full before update on provider_leases for each row execute function is_full()`.execute(
      service.db,
    );
    const answering = service.call('/check', { token, body: { url: 'https://indexed.example/' } });
    const first = await Promise.race([answering, sql`select pg_sleep(1.5)`.execute(service.db)]);
    expect(first).not.to.have.property('status');
    await sql`drop trigger is_full on provider_leases`.execute(service.db);
    expect((await answering).status).to.equal(200);
  });
});
