import { expect } from 'chai';
import { operations } from '../../schemas/openapi.ts';
import { holdToContract } from '../support/contract.ts';
import { apiRoutes } from '../support/routes.ts';
import { useService } from '../support/service.ts';

describe('the OpenAPI document', () => {
  const service = useService({ BASE_URL: 'https://sonde.example.org' });

  it('is served without a token, to any origin, with BASE_URL', async () => {
    const { status, headers, body } = await service.call('//openapi.json');
    expect([status, headers.get('access-control-allow-origin')]).to.deep.equal([200, '*']);
    expect(body.servers).to.deep.equal([{ url: 'https://sonde.example.org' }]);
    expect(Object.keys(body.paths)).to.have.members([...new Set(operations.map(({ path }) => path))]);
  });

  it('names exactly the routes of the router', () => {
    const routed = apiRoutes(service).map(
      ({ method, path }) => `${method} /api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(documented.filter((line) => line.includes('/api/v1'))).to.have.members(routed);
  });

  it('has examples that match their schemas', () => {
    for (const { path, method, answers } of operations) {
      for (const [status, { content = {}, headers: names = [] }] of Object.entries(answers)) {
        const headers = new Headers(['X-Request-Id', ...names].map((name) => [name, 'x']));
        for (const [type, { examples }] of Object.entries(content)) {
          headers.set('Content-Type', type);
          for (const body of Object.values(examples)) {
            holdToContract(method.toUpperCase(), path, { status: Number(status), headers, body });
          }
        }
      }
    }
  });

  const headers = new Headers({ 'X-Request-Id': 'x', 'Content-Type': 'application/json' });
  const departures: Array<[what: string, status: number, body: object, message: RegExp]> = [
    ['an undocumented field', 200, { credits: 1, debts: 2 }, /additional properties.*debts/],
    ['a field of another type', 200, { credits: '1' }, /credits must be integer/],
    ['a missing field', 200, {}, /required property 'credits'/],
    ['an undocumented status', 418, {}, /418 is not documented/],
    [
      'an error of another status',
      429,
      { success: false, error: 'x', message: 'x' },
      /Retry-After|undocumented error x/,
    ],
  ];
  for (const [what, status, body, message] of departures) {
    it(`rejects ${what}`, () => {
      expect(() => holdToContract('GET', '/api/v1/credits', { status, headers, body })).to.throw(message);
    });
  }
});
