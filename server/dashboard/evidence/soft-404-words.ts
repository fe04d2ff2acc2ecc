import type { SupportingSignal } from '../../../checks/soft-404/weights.ts';

export type Soft404Reason = SupportingSignal | 'same_as_sibling' | 'sibling_redirected_too';

/** Sentences that explain the values of `soft404_reasons`. */
export const soft404Words: Record<Soft404Reason, string> = {
  title_not_found: 'The title says “not found”.',
  title_error_404: 'The title says “error 404”.',
  title_404: 'The title contains “404”.',
  title_mentions_not_found: 'The title mentions that something was not found.',
  title_gone: 'The title says that the page is gone.',
  title_unavailable: 'The title says that something is unavailable.',
  heading_not_found: 'The main heading says “not found”.',
  heading_error_404: 'The main heading says “error 404”.',
  heading_404: 'The main heading contains “404”.',
  heading_mentions_not_found: 'The main heading mentions that something was not found.',
  heading_gone: 'The main heading says that the page is gone.',
  heading_unavailable: 'The main heading says that something is unavailable.',
  text_not_found: 'The text says that the page was not found.',
  text_gone: 'The text says that the page is gone.',
  text_404: 'The text contains “404”.',
  text_bare_not_found: 'The text contains “not found”.',
  text_unavailable: 'The text says that something is unavailable.',
  text_lost: 'The text says that the visitor is lost.',
  bare_error: 'The text contains only “error 404”.',
  offer_gone: 'The page says that the ad, job or product is gone.',
  error_page_root: 'The page is marked as an error page.',
  error_page_mark: 'Parts of the page have the markup of an error page.',
  canonical_error_page: 'The canonical URL is an error page.',
  canonical_elsewhere: 'The canonical URL is another page.',
  noindex: 'The page asks search engines not to index it.',
  short_text: 'The page has hardly any text.',
  front_page_link: 'The page links back to the home page.',
  redirected_to_front_page: 'The URL redirects to the home page.',
  same_as_sibling: 'The site shows the same page at a made-up URL.',
  sibling_redirected_too: 'The site also redirects made-up URLs to its home page.',
};
