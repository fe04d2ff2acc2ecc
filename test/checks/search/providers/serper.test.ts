import { expect } from 'chai';
import { serper } from '../../../../checks/search/providers/serper.ts';
import type { ProviderErrorKind } from '../../../../checks/search/serp.ts';
import { type Answer, expectFailure, useProvider } from '../../../support/provider.ts';

const apiKey = 'serper-key-0123456789';
const fullPage = {
  searchParameters: { q: 'red shoes', gl: 'us' },
  organic: [
    { position: 1, title: 'One', link: 'https://one.example/', snippet: '…' },
    {
      position: 2,
      title: 'Two',
      link: 'https://two.example/',
      sitelinks: [{ link: 'https://box.example/' }],
    },
  ],
  peopleAlsoAsk: [{ link: 'https://box.example/' }],
};

const failures: [title: string, kind: ProviderErrorKind, answer: Answer][] = [
  ['a wrong key', 'auth', { status: 403, body: { message: 'Unauthorized.', statusCode: 403 } }],
  [
    'used-up credits, reported as a bad request',
    'quota',
    { status: 400, body: { message: 'Not enough credits', statusCode: 400 } },
  ],
  ['a bad request', 'bad_request', { status: 400, body: { message: 'Missing query', statusCode: 400 } }],
];

describe('Serper', () => {
  const { server, search } = useProvider((baseUrl) =>
    serper.create({ SERPER_API_KEY: apiKey, SERPER_BASE_URL: `${baseUrl}/proxy` }, 30_000),
  );

  it('sends the fields of the request', async () => {
    server.willAnswer({ body: fullPage });
    await search({ country: 'DE', language: 'pt-BR', page: 3 });
    const [seen] = server.seen;
    expect(seen?.method).to.equal('POST');
    expect(seen?.url.pathname).to.equal('/proxy/search');
    expect(seen?.headers['x-api-key']).to.equal(apiKey);
    expect(JSON.parse(seen?.body ?? '')).to.deep.equal({
      q: 'red shoes',
      gl: 'de',
      hl: 'pt-br',
      page: 3,
      autocorrect: false,
    });
  });

  it('gets no mobile query', async () => {
    server.willAnswer({ body: fullPage });
    await expectFailure('unsupported', () => search({ device: 'mobile' }));
    expect(server.seen).to.deep.equal([]);
  });

  for (const [title, kind, answer] of failures) {
    it(`takes ${title} as ${kind}`, async () => {
      server.willAnswer(answer);
      const error = await expectFailure(kind, () => search());
      expect(JSON.stringify([error.message, String(error.cause)])).not.to.include(apiKey);
    });
  }
});
