import { type Signal, speakingFor } from '../../../checks/soft-404/weights.ts';

const words: Record<Signal, string> = {
  title_not_found: 'The title says “not found”.',
  title_error_404: 'The title is an error 404.',
  title_404: 'The title has “404” in it.',
  title_mentions_not_found: 'The title mentions that something was not found.',
  title_gone: 'The title says the page is gone.',
  title_unavailable: 'The title says it is unavailable.',
  heading_not_found: 'The main heading says “not found”.',
  heading_error_404: 'The main heading is an error 404.',
  heading_404: 'The main heading has “404” in it.',
  heading_mentions_not_found: 'The main heading mentions that something was not found.',
  heading_gone: 'The main heading says the page is gone.',
  heading_unavailable: 'The main heading says it is unavailable.',
  text_not_found: 'The text says the page was not found.',
  text_gone: 'The text says the page is gone.',
  text_404: 'The text has a 404 in it.',
  text_bare_not_found: 'The text has a bare “not found”.',
  text_unavailable: 'The text says it is unavailable.',
  text_lost: 'The text says the visitor is lost.',
  bare_error: 'All that it says is “error 404”.',
  offer_gone: 'It says that the advertisement, job or product is gone.',
  late_statement: 'What it says stands far down, among other things.',
  error_page_root: 'The page calls itself an error page.',
  error_page_mark: 'Parts of the page are marked as an error page.',
  canonical_error_page: 'Its canonical address is an error page.',
  canonical_elsewhere: 'Its canonical address is another one.',
  noindex: 'It asks search engines not to index it.',
  short_text: 'There is hardly any text.',
  front_page_link: 'It offers the way back to the front page.',
  redirected_to_front_page: 'It was redirected to the front page.',
  refreshes_elsewhere: 'It goes on to another page by itself.',
  own_headline: 'It has a headline of its own.',
  long_prose: 'It has a long text.',
  about_error_pages: 'It is about error pages.',
  search_results: 'It is a list of search results.',
};

/** What a look at an address beside it, that nobody has published, decided. */
const siblingWords: Record<string, string> = {
  same_as_sibling: 'The site shows the same page at an address that cannot exist.',
  sibling_redirected_too: 'The site sends an address that cannot exist to its front page, too.',
};

/** A name of `soft404_reasons` as a sentence; null for one that speaks against it, as answers of old have. */
export function soft404InWords(reason: string): string | null {
  if (speakingFor([reason]).length === 0) return null;
  if (Object.hasOwn(words, reason)) return words[reason as Signal];
  if (Object.hasOwn(siblingWords, reason)) return siblingWords[reason] ?? null;
  const spaced = reason.replaceAll('_', ' ');
  return `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}.`;
}
