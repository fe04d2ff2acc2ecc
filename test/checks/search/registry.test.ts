import { expect } from 'chai';
import {
  createProviders,
  ProviderSettingError,
  type ProviderSettings,
} from '../../../checks/search/registry.ts';

const NONE: ProviderSettings = {
  names: null,
  timeoutMs: 1_000,
  brightdata: null,
  serpapi: null,
  serper: null,
  dataforseo: null,
  searxng: null,
  openserp: null,
};
const SOME: ProviderSettings = {
  ...NONE,
  openserp: { baseUrl: 'http://127.0.0.1:7000' },
  serper: { apiKey: 'k', baseUrl: null },
  brightdata: { token: 't', zone: 'z', baseUrl: null },
};
const namesOf = (settings: ProviderSettings) => createProviders(settings).map((provider) => provider.name);

describe('the providers of a process', () => {
  it('are those whose keys are set, in our order', () => {
    expect(namesOf(SOME)).to.deep.equal(['brightdata', 'serper', 'openserp']);
  });

  it('are those named, in that order, each once', () => {
    expect(namesOf({ ...SOME, names: ['openserp', 'brightdata', 'openserp'] })).to.deep.equal([
      'openserp',
      'brightdata',
    ]);
    expect(namesOf({ ...SOME, names: ['sandbox'] })).to.deep.equal(['sandbox']);
  });

  const WRONG: [title: string, settings: ProviderSettings, says: RegExp][] = [
    ['none', NONE, /^No search provider: set BRIGHTDATA_API_TOKEN/],
    ['none named', { ...SOME, names: [] }, /^No search provider/],
    ['the sandbox beside another', { ...SOME, names: ['serper', 'sandbox'] }, /^SERP_PROVIDERS: sandbox/],
    [
      'an unknown name',
      { ...SOME, names: ['bing'] },
      /^SERP_PROVIDERS: bing is not a provider; known are brightdata/,
    ],
    ['a name of JavaScript', { ...SOME, names: ['constructor'] }, /^SERP_PROVIDERS: constructor is not/],
    [
      'a name without its key',
      { ...SOME, names: ['serpapi'] },
      /^SERP_PROVIDERS names serpapi: set SERPAPI_API_KEY/,
    ],
  ];
  for (const [title, settings, says] of WRONG) {
    it(`cannot be ${title}`, () => {
      expect(() => createProviders(settings)).to.throw(ProviderSettingError, says);
    });
  }
});
