import { expect } from 'chai';
import {
  createProviders,
  getFirstProviderUrl,
  providerSources,
  readProviderVariables,
} from '../../../checks/search/registry.ts';
import type { Environment } from '../../../config/settings.ts';
import { OperatorError } from '../../../process/operator-error.ts';

const some = {
  OPENSERP_BASE_URL: 'http://127.0.0.1:7000',
  SERPER_API_KEY: 'k',
  BRIGHTDATA_API_TOKEN: 't',
  BRIGHTDATA_ZONE: 'z',
};
const choose = (names: string[] | null, env: Environment = some) =>
  createProviders({ names, env, timeoutMs: 1_000 });
const listNames = (...of: Parameters<typeof choose>) => choose(...of).map(({ name }) => name);

describe('the providers of a process', () => {
  it('are those whose variables are set, in our order', () => {
    expect(listNames(null)).to.deep.equal(['brightdata', 'serper', 'openserp']);
  });

  it('are those that the setting names, in its order, each once', () => {
    expect(listNames(['openserp', 'brightdata', 'openserp'])).to.deep.equal(['openserp', 'brightdata']);
    expect(listNames(['sandbox'])).to.deep.equal(['sandbox']);
  });

  it('are tested at the URL of the first one or of its proxy, and the sandbox has no URL', () => {
    const first = (names: string[] | null, env: Environment = some) =>
      getFirstProviderUrl({ names, env, timeoutMs: 1_000 });
    expect(first(null)).to.equal('https://api.brightdata.com');
    expect(first(['serper'], { ...some, SERPER_BASE_URL: 'http://127.0.0.1:1' })).to.equal(
      'http://127.0.0.1:1',
    );
    expect(first(['openserp'])).to.equal(some.OPENSERP_BASE_URL);
    expect(first(['sandbox'])).to.equal(null);
  });

  const wrong: [title: string, names: string[] | null, env: Environment, says: RegExp][] = [
    [
      'no variable is set',
      null,
      {},
      /^No search provider is configured\. Set BRIGHTDATA_API_TOKEN and BRIGHTDATA_ZONE, or/,
    ],
    ['the setting is empty', [], some, /^No search provider/],
    ['the sandbox beside another', ['serper', 'sandbox'], some, /^SERP_PROVIDERS: sandbox simulates/],
    [
      'an unknown name',
      ['bing'],
      some,
      /^SERP_PROVIDERS: bing is not a provider. Known providers: brightdata/,
    ],
    ['a name of JavaScript', ['constructor'], some, /^SERP_PROVIDERS: constructor is not/],
    [
      'a name without its key',
      ['serpapi'],
      some,
      /^SERP_PROVIDERS names serpapi, which is not configured\. Set SERPAPI_API_KEY\./,
    ],
  ];
  for (const [title, names, env, says] of wrong) {
    it(`are rejected: ${title}`, () => {
      expect(() => choose(names, env)).to.throw(OperatorError, says);
    });
  }

  it('explain the error in a variable, and never print a secret', () => {
    const half = /^DATAFORSEO_PASSWORD is not set, but DATAFORSEO_LOGIN is\. Example: DATAFORSEO_PASSWORD=/;
    expect(() => readProviderVariables({ DATAFORSEO_LOGIN: 'me' })).to.throw(OperatorError, half);
    const other = /^DATAFORSEO_LOGIN is not set, but DATAFORSEO_PASSWORD is/;
    expect(() => readProviderVariables({ DATAFORSEO_PASSWORD: 'hunter2' }))
      .to.throw(other)
      .with.property('message')
      .that.does.not.include('hunter2');
    for (const address of [
      'shop.example',
      'ftp://a.example',
      'https://u:p@a.example',
      'https://a.example/?b',
    ])
      expect(() => readProviderVariables({ SERPER_BASE_URL: address })).to.throw(
        /^SERPER_BASE_URL must be an http or https URL without user name, query or fragment, not ".*"\. Example: SERPER_BASE_URL=https:/,
      );
  });

  it('can all be created from their own examples', () => {
    for (const { name, variables, create } of providerSources) {
      const env = Object.fromEntries(variables.map((variable) => [variable.name, variable.example]));
      expect(readProviderVariables(env)).to.include(env);
      expect(create(env, 1_000).name).to.equal(name);
    }
  });
});
