import { expect } from 'chai';
import type { TestAccount } from '../support/accounts.ts';
import { afterTest } from '../support/after-test.ts';
import { type ProviderServer, type SeenRequest, startProvider } from '../support/provider.ts';
import { providerFormats } from '../support/replies.ts';
import { TestService } from '../support/service.ts';
import { decodeUule } from '../support/simulated-google.ts';

const brightData = providerFormats.find(({ source }) => source.name === 'brightdata')!;

const shops = [
  { url: 'https://austin.example/', latitude: 30.27, longitude: -97.74 },
  { url: 'https://berlin.example/', latitude: 52.52, longitude: 13.4 },
  { url: 'https://munich.example/', latitude: 48.14, longitude: 11.58 },
];

/** A Google that ranks shops by distance. On phones, a directory comes first. */
function rankByDistance({ body }: SeenRequest): object {
  const parameters = new URL(JSON.parse(body).url).searchParams;
  const { latitude, longitude } = decodeUule(parameters.get('uule') ?? '');
  const distance = (shop: (typeof shops)[number]) =>
    Math.hypot(shop.latitude - latitude, shop.longitude - longitude);
  const nearest = shops.toSorted((one, other) => distance(one) - distance(other)).map(({ url }) => url);
  const urls = parameters.get('brd_mobile') === '1' ? ['https://directory.example/', ...nearest] : nearest;
  return brightData.reply(parameters.get('q') ?? '', urls);
}

describe('keyword queries from a location', () => {
  let google: ProviderServer;
  let service: TestService;
  let account: TestAccount;

  before(async () => {
    google = await startProvider();
    const env = {
      ...brightData.env(google.baseUrl),
      SERP_PROVIDERS: 'brightdata',
      SERP_REUSE_SECONDS: '600',
    };
    service = await TestService.start(env, { worker: true });
    account = await service.account();
  });

  after(async () => {
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
    await service.stop();
    await google.close();
  });

  const call = (path: string, body?: object) => service.call(path, { token: account.token, body });
  const track = (...queries: object[]) =>
    call('/keyword-track', {
      queries: queries.map((query) => ({ url: 'munich.example', keyword: 'shoes', end_page: 1, ...query })),
    });

  const places = [
    'Austin, Texas, United States',
    'Berlin, State of Berlin, Germany',
    'Munich, Bavaria, Germany',
  ];
  const queries = places.flatMap((location) =>
    ['desktop', 'mobile'].map((device) => ({ location, device, end_page: 1 })),
  );

  it('have their own results and histories for each location and device', async () => {
    google.willAnswer((request) => ({ body: rankByDistance(request) }));
    const { body: accepted } = await track(...queries, ...queries);
    expect(accepted).to.include({ total: 12 });
    const { results } = await service.ended(account.token, accepted.batch_id);
    const expected = [2, 3, 2, 3, 1, 2];
    expect(results.map(({ rank }: { rank: number }) => rank)).to.deep.equal([...expected, ...expected]);
    expect(results[2]).to.include({ location: places[1], country: 'DE', device: 'desktop' });
    const { text } = await call(`/batch/${accepted.batch_id}/results.csv`);
    const [head = '', row = ''] = text.replace('\ufeff', '').split(/\r?\n/);
    expect(head).to.match(/^keyword,target_url,country,language,location,device,/);
    expect(row).to.match(/^shoes,munich\.example,US,en,"Austin, Texas, United States",desktop,/);
    // Equal queries share a search, others do not.
    expect(google.seen).to.have.length(6);

    const { body: single } = await track(queries[4] as object);
    expect(single).to.include({ rank: 1, location: places[2], country: 'DE' });
    expect((await call(`/checks/${single.request_id}`)).body).to.include({ location: places[2] });
    const { body: history } = await call('/history?type=keyword&per_page=100');
    const inMunich = history.data.filter((row: { location?: string }) => row.location === places[2]);
    expect(
      inMunich.map((row: { device: string; rank: number }) => `${row.device} ${row.rank}`),
    ).to.have.members([...['desktop 1', 'desktop 1', 'desktop 1', 'mobile 2', 'mobile 2']]);
    const series = await service.db.selectFrom('history').select('series').distinct().execute();
    expect(series).to.have.length(6);
  });

  it('are compared with the same location of an earlier batch', async () => {
    google.willAnswer((request) => ({ body: rankByDistance(request) }));
    const [first, second] = [await track(...queries), await track(...queries.toReversed())];
    for (const { body } of [first, second]) await service.ended(account.token, body.batch_id);
    const { body } = await call(`/batch/${second.body.batch_id}/comparison?with=${first.body.batch_id}`);
    expect(body.counts).to.include({ same: 6, changed: 0, added: 0, gone: 0 });
  });

  it('are duplicates only with the same location, however it is written', async () => {
    const { body } = await call('/keyword-track', {
      dedupe: true,
      queries: ['Austin, TX', 'austin, texas', 'Munich, Germany', 'München, DE', undefined].map(
        (location) => ({
          url: 'munich.example',
          keyword: 'boots',
          ...(location ? { location } : { country: 'DE' }),
        }),
      ),
    });
    expect(body).to.include({ total: 3, duplicates: 2 });
    await call(`/batch/${body.batch_id}/cancel`, {});
  });

  it('reject unknown and ambiguous locations with candidates, and another country', async () => {
    const { status, body: ambiguous } = await track({ location: 'Austin' });
    expect(status).to.equal(422);
    expect(ambiguous).to.include({ error: 'validation_failed' });
    expect(ambiguous.candidates.map(({ location }: { location: string }) => location)).to.deep.equal([
      'Austin, Texas, United States',
      'Austin, Minnesota, United States',
      'Austin, Indiana, United States',
      'Austin, Arkansas, United States',
    ]);
    expect(ambiguous.errors['queries.0.location'][0]).to.match(
      /^Matches several cities. Candidates: Austin, Texas, United States; /,
    );
    const { body: unknown } = await track({ location: 'Austn, Texas' });
    expect(unknown.candidates[0]).to.include({ location: 'Austin, Texas, United States' });
    expect((await track({ location: 'Xyzzyqqq' })).body.candidates).to.deep.equal([]);
    const { body: elsewhere } = await track({ location: 'Austin, Texas', country: 'DE' });
    expect(elsewhere.errors).to.deep.equal({
      'queries.0.country': ['Must be US, the country of Austin, Texas, United States.'],
    });
    // The country chooses among cities of one name.
    const { body: french } = await track({ location: 'Paris', country: 'FR', keyword: 'pain' });
    expect(french).to.include({ location: 'Paris, Île-de-France, France', country: 'FR' });
    for (const location of ['', ' ', ',', 5, null, 'a'.repeat(201), '\u0301'.repeat(200)])
      expect((await track({ location })).status, JSON.stringify(location)).to.equal(422);
  });

  it('multiply the queries of a monitor, its price and its charts', async () => {
    google.willAnswer((request) => ({ body: rankByDistance(request) }));
    const query = { url: 'munich.example', end_page: 1 };
    const { status, body } = await call('/monitors', {
      name: 'Shoes in cities',
      type: 'keyword',
      queries: ['sandals', 'boots'].map((keyword) => ({ ...query, keyword })),
      locations: ['Munich, Germany', 'Austin, TX', 'munich, bavaria'],
      schedule: { every: 'day' },
      notify: { email: false },
    });
    expect(status).to.equal(201);
    expect(body.monitor).to.include({ subjects: 4, credits_per_run: 4 });
    expect(body.warnings).to.have.length(1);
    const path = `/monitors/${body.monitor.monitor_id}`;
    const { body: started } = await call(`${path}/run`, {});
    for (const id of started.run.batch_ids) await service.ended(account.token, id);
    await service.quiet();
    const { data } = (await call(`${path}/subjects`)).body;
    const found = data.map(
      ({ subject, latest }: { subject: Record<string, string>; latest: { rank: number } }) => [
        subject.keyword,
        subject.location,
        subject.country,
        latest.rank,
      ],
    );
    expect(found).to.deep.equal([
      ['sandals', places[2], 'DE', 1],
      ['sandals', places[0], 'US', 2],
      ['boots', places[2], 'DE', 1],
      ['boots', places[0], 'US', 2],
    ]);
    const inMunich = `location=${encodeURIComponent(places[2] ?? '')}`;
    expect((await call(`${path}/subjects?${inMunich}`)).body.data).to.have.length(2);
    const { data: series } = (await call(`${path}/series?${inMunich}`)).body;
    expect(series[0]).to.deep.include({ subjects: 2, answered: 2 });
    expect(series[0].ranks).to.include({ average_rank: 1 });
    expect((await call(`${path}/series?country=US`)).body.data[0].ranks).to.include({ average_rank: 2 });
  });

  it('reject locations of a monitor that are invalid, or contradict its queries', async () => {
    const query = { url: 'a.example', keyword: 'b' };
    const create = async (fields: object) =>
      (await call('/monitors', { name: 'M', type: 'keyword', schedule: { every: 'day' }, ...fields })).body;
    const wrong = await create({ queries: [query, query], locations: ['Munich, Germany', 'Austin'] });
    expect(Object.keys(wrong.errors)).to.deep.equal(['locations.1']);
    expect(wrong.candidates).to.have.length(4);
    const both = await create({
      queries: [query, { ...query, location: 'Munich, DE' }],
      locations: ['Austin, TX'],
    });
    expect(Object.keys(both.errors)).to.deep.equal(['queries.1.location']);
    const none = await create({ type: 'http', urls: ['https://a.example/'], locations: ['Austin, TX'] });
    expect(none.errors).to.deep.equal({
      locations: ['Requires queries. Send queries too, or remove locations.'],
    });
    const many = await create({ queries: Array(101).fill(query), locations: Array(100).fill('Austin, TX') });
    expect(many.errors).to.deep.equal({
      locations: [
        '101 queries in 100 locations are 10,100 entries. The limit is 10,000. Remove queries or locations.',
      ],
    });
  });

  it('accept a language with a region, in any case', async () => {
    google.willAnswer((request) => ({ body: rankByDistance(request) }));
    const { body } = await track({ location: 'Austin, TX', language: 'PT-br' });
    expect(body).to.include({ language: 'pt-BR', country: 'US' });
    const [{ body: sent }] = google.seen as [SeenRequest];
    expect(new URL(JSON.parse(sent).url).searchParams.get('hl')).to.equal('pt-BR');
    for (const language of ['en-US', 'pt-', 'pt_BR', '419', 'constructor', 'de-DE'])
      expect((await track({ language })).body.errors, language).to.have.keys('queries.0.language');
  });

  it('skip unknown locations in a list if asked, and repeat them', async () => {
    const { body } = await call('/keyword-track', {
      on_invalid: 'skip',
      queries: ['Nowhereville', 'Elsewherecity'].map((location) => ({
        url: 'a.example',
        keyword: 'b',
        location,
      })),
    });
    const { results } = await service.ended(account.token, body.batch_id);
    expect(results[0]).to.include({ location: 'Nowhereville', error: 'invalid_url' });
    expect(results[0].message).to.contain('location: Is not a known city.');
  });

  it('never fall back to the country: 422 if no provider can search from there', async () => {
    const other = await TestService.start({
      SERP_PROVIDERS: 'searxng,openserp',
      SEARXNG_BASE_URL: google.baseUrl,
      OPENSERP_BASE_URL: google.baseUrl,
    });
    afterTest(() => other.stop());
    const { token } = await other.account(5);
    const ask = (query: object) =>
      other.call('/keyword-track', {
        token,
        body: { queries: [{ url: 'a.example', keyword: 'b', ...query }] },
      });
    const { status, body } = await ask({ location: 'Paris, France' });
    expect([status, body.error]).to.deep.equal([422, 'location_unsupported']);
    expect(body.errors).to.have.keys('queries.0.location');
    const { body: onPhones } = await ask({ location: 'Austin, Texas', device: 'mobile' });
    expect(onPhones.error).to.equal('validation_failed');
    expect(onPhones.errors).to.have.keys('queries.0.device');
    expect(await other.credits((await other.account(0)).accountId)).to.equal(0);
  });
});
