import { expect } from 'chai';
import { type SerpLocation, unsupportedField } from '../../../../checks/search/serp.ts';
import {
  askOnePage,
  expectFailure,
  type SeenRequest,
  serpRequest,
  useProviderServer,
} from '../../../support/provider.ts';
import { makeProvider, providerFormats } from '../../../support/replies.ts';
import { decodeUule } from '../../../support/simulated-google.ts';

const austin: SerpLocation = { name: 'Austin,Texas,United States', latitude: 30.2672, longitude: -97.7431 };
const paris: SerpLocation = { name: 'Paris,Île-de-France,France', latitude: 48.8534, longitude: 2.3488 };

/** Returns the parameters of a request that name a place. */
function placesIn(name: string, { url, body }: SeenRequest): object {
  const pick = (all: Record<string, unknown>, ...names: string[]) =>
    Object.fromEntries(names.flatMap((each) => (each in all ? [[each, all[each]]] : [])));
  switch (name) {
    case 'brightdata': {
      const { gl, uule } = Object.fromEntries(new URL(JSON.parse(body).url).searchParams);
      return { gl, ...(uule ? decodeUule(uule) : {}) };
    }
    case 'serper':
      return pick(JSON.parse(body), 'gl', 'location');
    case 'dataforseo':
      return pick(JSON.parse(body)[0], 'location_code', 'location_coordinate', 'location_name');
    default:
      return pick(Object.fromEntries(url.searchParams), 'gl', 'lat', 'lon', 'location', 'uule', 'region');
  }
}

const inAustin: Record<string, object | null> = {
  brightdata: { gl: 'us', latitude: 30.2672, longitude: -97.7431 },
  serpapi: { gl: 'us', lat: '30.2672', lon: '-97.7431' },
  serper: { gl: 'us', location: 'Austin,Texas,United States' },
  dataforseo: { location_coordinate: '30.2672,-97.7431,200' },
  searxng: null,
  openserp: { region: 'Austin,Texas,United States' },
};
const inTheCountry: Record<string, object> = {
  brightdata: { gl: 'us' },
  serpapi: { gl: 'us' },
  serper: { gl: 'us' },
  dataforseo: { location_code: 2840 },
  openserp: { region: 'US' },
};

describe('a search from a place', () => {
  const server = useProviderServer();

  for (const format of providerFormats) {
    const { name } = format.source;
    const expected = inAustin[name] as object | null;

    it(`is ${expected ? 'sent in the form of' : 'not sent to'} ${name}`, async () => {
      const provider = makeProvider(format, server.baseUrl);
      server.willAnswer({ body: format.reply('red shoes', ['https://shop.example/']) });
      const ask = () => askOnePage(provider, { location: austin });
      if (expected === null) {
        await expectFailure('unsupported', ask);
        expect(server.seen).to.deep.equal([]);
        return;
      }
      await ask();
      await askOnePage(provider);
      expect(server.seen.map((request) => placesIn(name, request))).to.deep.equal([
        expected,
        inTheCountry[name],
      ]);
    });
  }

  it('is not sent to openserp outside of the United States', () => {
    const request = serpRequest({ location: paris, country: 'FR' });
    const unable = providerFormats
      .map((format) => makeProvider(format, server.baseUrl))
      .filter(({ supports }) => unsupportedField(supports, request) === 'location');
    expect(unable.map(({ name }) => name)).to.deep.equal(['openserp']);
  });
});
