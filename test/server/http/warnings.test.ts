import { expect } from 'chai';
import { useAccount, useService } from '../../support/service.ts';

describe('warnings about unknown fields', () => {
  const service = useService();
  const account = useAccount(service, 1000);

  const post = async (path: string, body: object | string, headers = {}) =>
    service.call(path, {
      token: account.token,
      headers,
      ...(typeof body === 'string' ? { raw: body, method: 'POST' } : { body }),
    });
  const url = 'https://indexed.example/';
  const query = { url: 'rank-7.example', keyword: 'shoes' };

  const cases: Array<[path: string, body: object, warnings: string[] | undefined]> = [
    ['/check', { url }, undefined],
    [
      '/check',
      { url, URL: 1, colour: 'red' },
      ['URL is not a field and was ignored. Did you mean url?', 'colour is not a field and was ignored.'],
    ],
    ['/check', { url, follow_redirects: true }, ['follow_redirects is not a field and was ignored.']],
    [
      '/http-status',
      { url: 'http://127.0.0.1:1/', follow: false },
      ['follow is not a field and was ignored. Did you mean follow_redirects?'],
    ],
    [
      '/check/bulk',
      { urls: [url], webhook: 'x' },
      ['webhook is not a field and was ignored. Did you mean webhook_url?'],
    ],
    [
      '/http-status/bulk',
      { urls: [url], webhookUrl: 1 },
      ['webhookUrl is not a field and was ignored. Did you mean webhook_url?'],
    ],
    [
      '/keyword-track',
      { queries: [query, { ...query, contry: 'DE' }], tag: 'a' },
      [
        'queries.1.contry is not a field and was ignored. Did you mean queries.1.country?',
        'tag is not a field and was ignored.',
      ],
    ],
    [
      '/keyword-track',
      { queries: [{ ...query, endPage: 2 }], webhook_url: 'https://example.com/', reference: 'r' },
      [
        'webhook_url is not used, because a single query is answered directly.',
        'reference is not used, because a single query is answered directly.',
        'queries.0.endPage is not a field and was ignored. Did you mean queries.0.end_page?',
      ],
    ],
  ];

  for (const [path, body, warnings] of cases) {
    it(`${path} returns ${JSON.stringify(warnings)}`, async () => {
      const answer = await post(path, body);
      expect(answer.status).to.be.oneOf([200, 202]);
      expect(answer.body.warnings).to.deep.equal(warnings);
    });
  }

  it('are returned with a repeated answer', async () => {
    const headers = { 'Idempotency-Key': 'warned' };
    const first = await post('/check', { url, colour: 'red' }, headers);
    const again = await post('/check', { url, colour: 'red' }, headers);
    expect(first.body.warnings).to.deep.equal(['colour is not a field and was ignored.']);
    expect(again.text).to.equal(first.text);
  });

  it('shorten long names', async () => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      '',
      '\0',
      '\ud800',
      'x'.repeat(5000),
    ];
    const fields = names.map((name) => `${JSON.stringify(name)}: {"url": 1}`);
    const { status, body } = await post('/check', `{"url": "${url}", ${fields.join(', ')}}`);
    expect(status).to.equal(200);
    expect(body.is_indexed).to.equal(true);
    expect(body.warnings).to.deep.equal([
      '__proto__ is not a field and was ignored.',
      'constructor is not a field and was ignored.',
      'toString is not a field and was ignored.',
      'hasOwnProperty is not a field and was ignored.',
      ' is not a field and was ignored.',
      '\0 is not a field and was ignored.',
      '\ud800 is not a field and was ignored.',
      `${'x'.repeat(64)}… is not a field and was ignored.`,
    ]);
  });

  it('are limited to 20', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, n]));
    for (const [path, body] of [
      ['/check', { url, ...many(90) }],
      ['/keyword-track', { queries: Array(2).fill({ ...query, ...many(90) }) }],
    ] as const) {
      const { warnings } = (await post(path, body)).body;
      expect(warnings).to.have.lengthOf(20);
      expect(warnings[18]).to.match(/field18 is not a field and was ignored\.$/);
      expect(warnings[19]).to.equal('Further unknown fields are not listed.');
    }
  });
});
