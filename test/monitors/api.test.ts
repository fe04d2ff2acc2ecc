import { expect } from 'chai';
import { useAccount, useService } from '../support/service.ts';
import { useSite } from '../support/web.ts';

describe('monitors in the API', () => {
  const service = useService({ MONITORS_MAX: '5' });
  const account = useAccount(service, 10);
  const site = useSite((_req, res) => res.end(sitemap));
  let sitemap = '';

  const call = (path: string, options = {}) => service.call(path, { token: account.token, ...options });
  const urls = ['https://example.com/1', 'https://example.com/2'];
  const fields = { name: 'M', type: 'http', urls, schedule: { every: 'day', at: '06:00' } };
  const lists = { urls: undefined, queries: undefined, sitemap_url: undefined };

  it('are rejected with an error for the invalid field', async () => {
    const query = { url: 'example.com', keyword: 'shoes' };
    const cases: Array<[object, string]> = [
      [{ schedule: { every: 'week', on: [1] } }, 'schedule.on'],
      [{ schedule: { every: 'month', on: ['mon'] } }, 'schedule.on'],
      [{ schedule: { every: 'month', on: [0] } }, 'schedule.on'],
      [{ schedule: { every: 'day', on: ['mon'] } }, 'schedule.on'],
      [{ schedule: { every: 'day', timezone: '+02:00' } }, 'schedule.timezone'],
      [{ schedule: { every: 'day', at: '24:00' } }, 'schedule.at'],
      [{ ...lists }, 'urls'],
      [{ ...lists, urls, sitemap_url: 'https://example.com/sitemap.xml' }, 'sitemap_url'],
      [{ queries: [query], urls: undefined }, 'queries'],
      [{ type: 'keyword' }, 'urls'],
      [{ stop_when: 'indexed' }, 'stop_when'],
      [{ subjects_max: 1 }, 'subjects_max'],
      [{ urls: ['http://10.0.0.1/'] }, 'urls.0'],
      [{ notify: { webhook_url: 'http://10.0.0.1/' } }, 'notify.webhook_url'],
      [{ ...lists, sitemap_url: 'http://169.254.169.254/' }, 'sitemap_url'],
      [{ name: ' ' }, 'name'],
    ];
    for (const [wrong, field] of cases) {
      const { status, body } = await call('/monitors', { body: { ...fields, ...wrong } });
      expect([status, Object.keys(body.errors ?? {})], JSON.stringify(wrong)).to.deep.equal([422, [field]]);
    }
    expect((await call('/monitors')).body.total).to.equal(0);
  });

  it('have defaults for missing fields, and no duplicate entries and days', async () => {
    const body = {
      ...fields,
      urls: [...urls, urls[0]],
      schedule: { every: 'week', on: ['thu', 'mon', 'thu'] },
    };
    const { status, body: answer } = await call('/monitors', { body });
    expect([status, answer.warnings?.length]).to.deep.equal([201, 1]);
    const { monitor } = answer;
    expect(monitor.schedule).to.deep.include({ every: 'week', on: ['thu', 'mon'], timezone: 'UTC' });
    expect(monitor.schedule.at).to.match(/^0[3-6]:\d\d$/);
    expect(monitor.notify).to.deep.equal({ when: 'changed', webhook_url: null, email: true });
    expect(monitor).to.include({ subjects: 2, rank_threshold: 3, confirm_losses: true, credits_per_run: 2 });
    expect(monitor.credits_per_month).to.be.within(16, 20);
  });

  it('can be changed field by field, except their type; null clears a field', async () => {
    const { monitor } = (await call('/monitors', { body: { ...fields, reference: 'r' } })).body;
    const path = `/monitors/${monitor.monitor_id}`;
    const patch = (body: object) => call(path, { method: 'PATCH', body });
    const changed = (await patch({ reference: null, schedule: { every: 'hour', at: '00:20' } })).body.monitor;
    expect(changed).to.include({ reference: null, name: 'M', credits_per_month: 2 * 720 });
    expect(changed.next_run_at).to.match(/:20:00\+00:00$/);
    expect((await patch({ type: 'index' })).body.errors).to.have.key('type');
    expect((await patch({ urls: ['https://example.com/3'] })).body.monitor.subjects).to.equal(1);
    sitemap = urlset(20);
    const moved = (await patch({ sitemap_url: `${site.url}/sitemap.xml` })).body.monitor;
    expect([moved.subjects, moved.subjects_max]).to.deep.equal([20, 40]);
    expect((await patch({ subjects_max: 7 })).body.monitor.subjects).to.equal(7);
  });

  it('need a sitemap with URLs', async () => {
    sitemap = '<urlset></urlset>';
    const body = { ...fields, urls: undefined, sitemap_url: `${site.url}/s.xml` };
    expect((await call('/monitors', { body })).body.errors).to.have.key('sitemap_url');
  });

  it('have a maximum number, also for concurrent requests', async () => {
    const { token } = await service.account(10);
    const create = () => service.call('/monitors', { token, body: fields });
    const made = await Promise.all(Array.from({ length: 7 }, create));
    expect(made.filter(({ status }) => status === 201)).to.have.length(5);
    expect(made.find(({ status }) => status === 409)?.body.error).to.equal('too_many_monitors');
  });
});

function urlset(pages: number): string {
  const entries = Array.from(
    { length: pages },
    (_, page) => `<url><loc>https://example.com/${page}</loc></url>`,
  );
  return `<urlset>${entries.join('')}</urlset>`;
}
