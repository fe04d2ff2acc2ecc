import { googleParameters } from '../google/search-url.ts';
import { defineProvider, ProviderError, type Serp, type SerpProvider, type SerpRequest } from '../serp.ts';
import { ownAddress, type ProviderSource, secret, settingOf } from '../source.ts';
import { addressOf, ask, errorOfStatus, type ProviderReply } from '../upstream/ask.ts';
import { readJson } from '../upstream/json.ts';
import { type Notice, prove } from '../upstream/proof.ts';
import { isSameQuery, toEntries, toRecord, toText } from '../upstream/shape.ts';
import {
  contradictingCount,
  isSaid,
  namesPageBehind,
  refuseTrouble,
  unknownMember,
} from '../upstream/trouble.ts';

const providerName = 'serpapi';
const keyVariable = secret('SERPAPI_API_KEY', 'the key of the account');
const addressVariable = ownAddress(
  'SERPAPI_BASE_URL',
  'https://serpapi-proxy.example.com',
  'https://serpapi.com',
);

/**
 * SerpApi's Google engine.
 *
 * Errors: `ProviderError`. Source: serpapi.com api-status-and-error-codes, organic-results, read November 2026.
 */
export const serpApi: ProviderSource = {
  name: providerName,
  variables: [keyVariable, addressVariable],
  make: (env, timeoutMs) => create(settingOf(keyVariable, env), settingOf(addressVariable, env), timeoutMs),
};

function create(apiKey: string, baseUrl: string, timeoutMs: number): SerpProvider {
  return defineProvider({
    name: providerName,
    supports: { mobile: true, countries: 'any', languages: 'any', operators: true },
    async search(request, signal) {
      const url = addressOf(baseUrl, 'search.json');
      url.search = toParameters(request, apiKey).toString();
      const reply = await ask({ provider: providerName, url, timeoutMs, signal });
      const error = errorOfStatus(reply, providerName);
      if (error !== null) throw explain(error, reply);
      return readSerpApi(readJson(reply.text, providerName), request.query, request.page);
    },
  });
}

/**
 * A search as SerpApi stores it. The `error` sentence also stands in a successful search without results; `number` is
 * of the page asked for. Errors: `ProviderError` (rewritten, unreadable, upstream).
 */
export function readSerpApi(body: unknown, asked: string | null = null, number = 1): Serp {
  const search = toRecord(body);
  const { status } = toRecord(search.search_metadata);
  if (status !== 'Success')
    throw new ProviderError(providerName, 'upstream', `the search is in state ${toText(status)}`);
  const { error, ...rest } = search;
  const isSentence = /hasn.t returned any results/.test(toText(error) ?? '');
  const { search_metadata: metadata, search_parameters: parameters } = search;
  const information = toRecord(search.search_information);
  refuseTrouble(
    providerName,
    isSentence ? rest : search,
    toRecord(metadata),
    toRecord(parameters),
    information,
  );
  const { q, engine = 'google' } = toRecord(parameters);
  if (engine !== 'google') throw new ProviderError(providerName, 'unreadable', 'not a page of Google');
  const state = toText(information.organic_results_state) ?? '';
  return prove({
    provider: providerName,
    asked,
    echoes: [toText(q)],
    notice: noticeOf(state, information, asked ?? toText(q)),
    linking: [search, toRecord(metadata)],
    doubt:
      unknownMember(rest) ??
      nextPageOf(search, number) ??
      contradictingCount(information.total_results, number),
    saysNone: isSentence || state === 'Fully empty',
    entries: toEntries(search.organic_results),
    key: 'link',
    featuredSnippetUrl: snippetOf(search),
  });
}

/**
 * The states begin with what came of the words as asked: "Empty showing …", or "… without quotes", which Google does
 * only then; what is "fixed" or "including" is mixed with other words.
 */
function noticeOf(state: string, information: Record<string, unknown>, asked: string | null): Notice | null {
  if (/^Empty showing|without quotes/i.test(state)) return 'nothing-matches';
  const displayed = toText(information.query_displayed);
  const isOther = asked !== null && displayed !== null && !isSameQuery(asked, displayed);
  const isReplaced =
    /fixed spelling|spelling fix|fixed typo/i.test(state) || 'showing_results_for' in information;
  return isReplaced || isOther ? 'other-query' : null;
}

/** Where results end there is no way on. */
function nextPageOf(
  { pagination, serpapi_pagination: own }: Record<string, unknown>,
  number: number,
): string | null {
  const isWay = ({ next, next_link: link, current, other_pages: others }: Record<string, unknown>) => {
    // It numbers later pages 1 (serpapi/public-roadmap 4325), and the links say which they are.
    const last = Math.max(Number(current) || 0, number);
    const listed = Object.entries(toRecord(others)).map(([page, to]) => pageOf(to) ?? page);
    const onward = [next, link].filter(isSaid).map((to) => pageOf(to) ?? last + 1);
    return namesPageBehind([...listed, ...onward], last);
  };
  return [pagination, own].map(toRecord).some(isWay) ? 'next' : null;
}

/** The page that a link leads to, from 1; null when it does not say. */
function pageOf(link: unknown): number | null {
  const start = /[?&]start=(\d+)/.exec(toText(link) ?? '')?.[1];
  return start === undefined ? null : Math.floor(Number(start) / 10) + 1;
}

function toParameters(request: SerpRequest, apiKey: string): URLSearchParams {
  const parameters = googleParameters(request);
  // Not among SerpApi's parameters; its searches carry no person.
  parameters.delete('pws');
  parameters.set('engine', 'google');
  parameters.set('device', request.device);
  parameters.set('gl', request.country === 'GB' ? 'uk' : request.country.toLowerCase());
  parameters.set('hl', request.language.toLowerCase());
  parameters.set('api_key', apiKey);
  return parameters;
}

function snippetOf(search: Record<string, unknown>): string | null {
  const box = toRecord(search.answer_box);
  return box.type === 'organic_result' ? toText(box.link) : null;
}

/** 403 is a missing permission like 401; 429 means too fast or used up, and only the sentence tells which. */
function explain(error: ProviderError, reply: ProviderReply): ProviderError {
  if (error.kind !== 'rate_limit' || !/run out of searches|searches left|monthly/i.test(reply.text))
    return error;
  return new ProviderError(providerName, 'quota', 'no searches left on this account');
}
