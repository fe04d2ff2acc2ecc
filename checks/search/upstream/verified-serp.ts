import { createHiddenUrlError, isUrlHidden, toResults, toResultUrl } from '../google/url.ts';
import { createRewrittenError, ProviderError, type Serp, toSerp } from '../serp.ts';
import { linksToOtherSearch } from './other-pages.ts';
import { isSameQuery } from './shape.ts';

/** Reply of a provider, in a form that all providers share. */
interface ParsedReply {
  provider: string;
  /** Query that was sent; undefined for a recording whose query is unknown. */
  asked: string | undefined;
  /** Search engine that the reply names; undefined if it names none. */
  engine?: unknown;
  /** Queries in the reply; null for a member that should contain the query but does not. */
  echoes: (string | null)[];
  /** Google's notice that it found nothing or used another query; null if the reply has no notice. */
  notice: Notice | null;
  /** Parts of the reply that may link to other pages of the search. */
  linking: Record<string, unknown>[];
  saysNoResults: boolean;
  /**
   * Sign that contradicts `saysNoResults`, such as an unknown member or a link to the next page; null if there is no
   * such sign.
   */
  doubt: string | null;
  /** List of organic entries as received; null if it is missing. */
  entries: Record<string, unknown>[] | null;
  key: 'link' | 'url';
  featuredSnippetUrl?: string | null;
}

/**
 * `nothing-matches`: Google says that the query has no results, and may show the results of another query.
 * `other-query`: Google replaced or cut the query, and shows the results of the new query.
 */
export type Notice = 'nothing-matches' | 'other-query';

/**
 * Converts a reply to a page. Accepts only replies that name our query. An empty list needs further proof that there
 * are no results. If Google says that nothing matches our query, the page is empty, even if Google shows results for
 * other words. Throws `ProviderError` (`rewritten` for an answer to another query, unreadable).
 */
export function toVerifiedSerp(reply: ParsedReply): Serp {
  const { provider, engine = 'google', entries, saysNoResults, doubt } = reply;
  if (engine !== 'google') throw unreadable(provider, 'not a page of Google');
  checkEchoes(reply);
  if (reply.notice === 'nothing-matches') return toSerp([]);
  const isOther = reply.asked !== undefined && linksToOtherSearch(reply.asked, ...reply.linking);
  if (reply.notice === 'other-query' || isOther) throw createRewrittenError(provider);
  const results = toResults(entries ?? [], reply.key, provider);
  if (results.length > 0 && saysNoResults)
    throw unreadable(provider, 'results, and a notice that there are none');
  if (results.length > 0) return toSerp(results, readSnippetUrl(reply));
  if (entries !== null && entries.length > 0) throw unreadable(provider, 'all entries link to Google itself');
  if (!saysNoResults) throw unreadable(provider, 'no results, and no notice that there are none');
  if (doubt !== null) throw unreadable(provider, `a notice that there are no results, but also "${doubt}"`);
  return toSerp([]);
}

/** Returns the URL of the snippet, which may be missing in the list of results. */
function readSnippetUrl({ provider, featuredSnippetUrl: href = null }: ParsedReply): string | null {
  if (href !== null && isUrlHidden(href)) throw createHiddenUrlError(provider);
  return href === null ? null : toResultUrl(href);
}

/** Throws `ProviderError` (rewritten for another query, unreadable without a query). */
function checkEchoes({ provider, asked, echoes }: Pick<ParsedReply, 'provider' | 'asked' | 'echoes'>): void {
  if (asked === undefined) return;
  const named = echoes.filter((echo) => echo !== null);
  if (named.some((echo) => !isSameQuery(asked, echo))) throw createRewrittenError(provider);
  if (named.length < Math.max(1, echoes.length))
    throw unreadable(provider, 'the reply does not name its query');
}

function unreadable(provider: string, what: string): ProviderError {
  return new ProviderError(provider, 'unreadable', what);
}
