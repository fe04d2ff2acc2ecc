import {
  ProviderError,
  type Serp,
  type SerpPart,
  type SerpProvider,
  type SerpRequest,
  supportsAll,
} from '../serp.ts';
import { type ProviderSource, proxyUrlVariable, readVariable, secretVariable } from '../source.ts';
import { addParts, overviewUnknown, toBlocks } from '../upstream/features.ts';
import { parseJson } from '../upstream/json.ts';
import { findContradictingCount, findUnknownMember, rejectErrorReply } from '../upstream/reply-errors.ts';
import { joinUrl, type ProviderReply, sendRequest, toStatusError } from '../upstream/request.ts';
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
  create: (env, timeoutMs) =>
    create(readVariable(keyVariable, env), readVariable(addressVariable, env), timeoutMs),
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

function create(apiKey: string, baseUrl: string, timeoutMs: number): SerpProvider {
  const url = joinUrl(baseUrl, 'search');
  return {
    name: providerName,
    supports: { ...supportsAll, mobile: false, aiOverviews: false },
    async search(request) {
      const headers = { 'x-api-key': apiKey };
      const reply = await sendRequest({
        provider: providerName,
        url,
        method: 'POST',
        headers,
        body: toBody(request),
        timeoutMs,
      });
      const error = toStatusError(reply, providerName);
      if (error !== null) throw explain(error, reply);
      return readSerper(parseJson(reply.text, providerName), request.query, request.page, request.wants);
    },
  };
}

/**
 * Reads a search. An empty list means that nothing matches. `number` is the number of the requested page. Errors:
 * `ProviderError`.
 */
export function readSerper(
  body: unknown,
  asked: string | null = null,
  number = 1,
  wants: readonly SerpPart[] = [],
): Serp {
  const search = toRecord(body);
  const parameters = toRecord(search.searchParameters);
  const information = toRecord(search.searchInformation);
  rejectErrorReply(providerName, search, parameters, information);
  const { q, engine = 'google' } = parameters;
  if (engine !== 'google') throw new ProviderError(providerName, 'unreadable', 'not a page of Google');
  const entries = toEntries(search.organic);
  const answer = toRecord(search.answerBox);
  const serp = toVerifiedSerp({
    provider: providerName,
    asked,
    echoes: [toText(q)],
    notice: toText(information.showingResultsFor) === null ? null : 'other-query',
    linking: [search, parameters],
    doubt: findUnknownMember(search, 'credits') ?? findContradictingCount(information.totalResults, number),
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
