import { addressesHidden, hidesAddress, resultsOf, resultUrl } from '../google/url.ts';
import { ProviderError, type Serp, toSerp } from '../serp.ts';
import { linksToOtherSearch } from './other-pages.ts';
import { isSameQuery } from './shape.ts';

/** A provider's reply, in terms that all providers share. */
export interface Testimony {
  provider: string;
  /** Null for a recording of which nobody knows what was asked: then it need not be named. */
  asked: string | null;
  /** Where the reply names the query it answers; null where it should and does not. */
  echoes: (string | null)[];
  /** Google's notice about the query: it found nothing, or answered other words; null when there is no notice. */
  notice: Notice | null;
  /** The parts of the reply that may link to other pages of the search. */
  linking: Record<string, unknown>[];
  /** The provider's own way to say that there are no results. */
  saysNone: boolean;
  /** A sign that there are results after all: an unknown member, or a link to the next page; null without one. */
  doubt: string | null;
  /** Its list of organic entries, unread; null when there is none. */
  entries: Record<string, unknown>[] | null;
  /** Where an entry has its address. */
  key: 'link' | 'url';
  featuredSnippetUrl?: string | null;
}

export type Notice = 'nothing-matches' | 'other-query';

/**
 * A genuine page, or none: only a reply that names our query is read, and "there are none" needs proof beside an empty
 * list. What Google shows in place of results it has not found is not looked at. Errors: `ProviderError` (rewritten,
 * unreadable).
 */
export function prove(told: Testimony): Serp {
  const { provider, entries, saysNone, doubt } = told;
  checkEchoes(told);
  if (told.notice === 'nothing-matches') return toSerp([]);
  const isOther = told.asked !== null && linksToOtherSearch(told.asked, ...told.linking);
  if (told.notice === 'other-query' || isOther) throw rewritten(provider);
  const results = resultsOf(entries ?? [], told.key, provider);
  if (results.length > 0 && saysNone) throw unreadable(provider, 'results, and the word that there are none');
  if (results.length > 0) return toSerp(results, snippetUrlOf(told));
  if (entries !== null && entries.length > 0) throw unreadable(provider, 'no result leads out of Google');
  if (!saysNone) throw unreadable(provider, 'no results, and no word that there are none');
  if (doubt !== null) throw unreadable(provider, `no results, and beside that word "${doubt}"`);
  return toSerp([]);
}

/** The page behind a snippet may be in no list, so its URL is read separately. */
function snippetUrlOf({ provider, featuredSnippetUrl: href = null }: Testimony): string | null {
  if (href !== null && hidesAddress(href)) throw addressesHidden(provider);
  return href === null ? null : resultUrl(href);
}

/** Errors: `ProviderError` (rewritten for another query than ours, unreadable for none). */
function checkEchoes({ provider, asked, echoes }: Pick<Testimony, 'provider' | 'asked' | 'echoes'>): void {
  if (asked === null) return;
  const named = echoes.filter((echo) => echo !== null);
  if (named.some((echo) => !isSameQuery(asked, echo))) throw rewritten(provider);
  if (named.length < Math.max(1, echoes.length))
    throw unreadable(provider, 'the query answered is not named');
}

function rewritten(provider: string): ProviderError {
  return new ProviderError(provider, 'rewritten', 'Google answered another query');
}

function unreadable(provider: string, what: string): ProviderError {
  return new ProviderError(provider, 'unreadable', what);
}
