import { expect } from 'chai';
import type { Location } from '../../../schemas/location.ts';
import { useAccount, useService } from '../../support/service.ts';

describe('GET /locations', () => {
  const service = useService();
  const account = useAccount(service, 0);

  const get = (query: string) => service.call(`/locations?${query}`, { token: account.token });
  const list = async (query: string): Promise<string[]> =>
    (await get(query)).body.data.map(({ location }: Location) => location);

  it('returns a city with its region, country and coordinates', async () => {
    const { status, body } = await get('q=Austin,%20TX');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      success: true,
      data: [
        {
          location: 'Austin, Texas, United States',
          name: 'Austin',
          region: 'Texas',
          country: 'US',
          latitude: 30.2672,
          longitude: -97.7431,
        },
      ],
    });
  });

  it('returns up to 20 cities whose name begins with the text, the largest first', async () => {
    const found = await list('q=san');
    expect(found).to.have.length(20);
    expect(found.slice(0, 2)).to.deep.equal([
      'Santiago, Santiago Metropolitan, Chile',
      'Santo Domingo, Nacional, Dominican Republic',
    ]);
    expect((await list('q=san&country=us'))[0]).to.equal('San Antonio, Texas, United States');
    expect(await list('q=s')).to.deep.equal([]);
    expect((await list('q=londo'))[0]).to.equal('London, England, United Kingdom');
  });

  it('ignores case, accents and punctuation, and knows other names of large cities', async () => {
    for (const name of ['SÃO PAULO', 'sao paulo', 'Sao-Paulo'])
      expect((await list(`q=${encodeURIComponent(name)}`))[0], name).to.equal('São Paulo, São Paulo, Brazil');
    expect((await list('q=New%20York'))[0]).to.equal('New York City, New York, United States');
    expect(await list('q=M%C3%BCnchen')).to.include('Munich, Bavaria, Germany');
    expect((await list('q=cologne,%20germany'))[0]).to.equal('Köln, North Rhine-Westphalia, Germany');
    expect(await list('q=St%20Louis,%20Missouri')).to.deep.equal(['St. Louis, Missouri, United States']);
  });

  it('returns nothing for a text that no city begins with', async () => {
    for (const text of ['zzzzzz', '%2C', '.', ',,,,', '%F0%9F%98%80', '%EF%BF%BF', 'a'.repeat(3_000)])
      expect(await list(`q=${text}`), text).to.deep.equal([]);
  });

  it('rejects a missing text and an unknown country', async () => {
    expect((await get('')).body.errors).to.deep.equal({ q: ['Is required.'] });
    expect((await get('q=austin&country=QQ')).body.errors).to.have.keys('country');
    expect((await get('q=austin&contry=US')).body.warnings).to.deep.equal([
      'contry is not a parameter and was ignored. Did you mean country?',
    ]);
  });
});
