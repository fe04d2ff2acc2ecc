import type { Environment } from '../../../config/settings.ts';
import {
  type AskedPage,
  ProviderError,
  type Serp,
  type SerpProvider,
  type SerpRequest,
  supportsAll,
} from '../serp.ts';
import { type ProviderSource, proxyUrlVariable, readVariable, secretVariable } from '../source.ts';
import { addParts, overviewUnknown, toBlocks } from '../upstream/features.ts';
import { findContradictingCount, findUnknownMember, rejectErrorReply } from '../upstream/reply-errors.ts';
import { joinUrl, type ProviderReply, requestJson } from '../upstream/request.ts';
import { toEntries, toRecord, toText } from '../upstream/shape.ts';
import { toVerifiedSerp } from '../upstream/verified-serp.ts';

const providerName = 'serper';
const keyVariable = secretVariable('SERPER_API_KEY', 'the key of the account');
const addressVariable = proxyUrlVariable(
  'SERPER_BASE_URL',
  'https://serper-proxy.example.com',
  'https://google.serper.dev',
);

/**
 * Serper.dev. It has no mobile results, and its duplicate filter cannot be switched off.
 *
 * Throws `ProviderError`. Source: public clients, because its reference is not public; read November 2026.
 */
export const serper: ProviderSource = {
  name: providerName,
  variables: [keyVariable, addressVariable],
  create,
};

/**
 * Types of blocks by the members that contain them. Serper does not report AI Overviews, and rarely reports answer
 * boxes.
 */
const typesByMember = {
  peopleAlsoAsk: 'people_also_ask',
  knowledgeGraph: 'knowledge_panel',
  topStories: 'news',
  places: 'local_pack',
  images: 'images',
  videos: 'videos',
} as const;

function create(env: Environment, timeoutMs: number): SerpProvider {
  const url = joinUrl(readVariable(addressVariable, env), 'search');
  const headers = { 'x-api-key': readVariable(keyVariable, env) };
  return {
    name: providerName,
    supports: { ...supportsAll, mobile: false, aiOverviews: false },
    async search(request) {
      const post = { provider: providerName, url, headers, body: toBody(request), timeoutMs };
      return readSerper(await requestJson(post, explain), request);
    },
  };
}

/** Reads a search. An empty list means that nothing matches. Throws `ProviderError`. */
export function readSerper(body: unknown, { query, page = 1, wants = [] }: AskedPage = {}): Serp {
  const search = toRecord(body);
  const parameters = toRecord(search.searchParameters);
  const information = toRecord(search.searchInformation);
  rejectErrorReply(providerName, search, parameters, information);
  const { q, engine } = parameters;
  const entries = toEntries(search.organic);
  const answer = toRecord(search.answerBox);
  const serp = toVerifiedSerp({
    provider: providerName,
    asked: query,
    engine,
    echoes: [toText(q)],
    notice: toText(information.showingResultsFor) === null ? null : 'other-query',
    linking: [search, parameters],
    doubt: findUnknownMember(search, 'credits') ?? findContradictingCount(information.totalResults, page),
    saysNoResults: entries?.length === 0,
    entries,
    key: 'link',
    featuredSnippetUrl: answer.snippet === undefined ? null : toText(answer.link),
  });
  return addParts(serp, wants, () => ({
    visible: Object.values(typesByMember),
    blocks: toBlocks(search, typesByMember),
    overview: overviewUnknown,
  }));
}

function toBody(request: SerpRequest): Record<string, unknown> {
  return {
    q: request.query,
    gl: request.country.toLowerCase(),
    hl: request.language.toLowerCase(),
    ...(request.location ? { location: request.location.name } : {}),
    page: request.page,
    autocorrect: !request.isUnfiltered,
  };
}

// For an account without credits, the status is 400.
function explain(error: ProviderError, reply: ProviderReply): ProviderError {
  if (reply.status !== 400 || !/not enough credits/i.test(reply.text)) return error;
  return new ProviderError(providerName, 'quota', 'not enough credits on this account');
}
