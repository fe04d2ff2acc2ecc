import { Budget } from '../page/budget.ts';
import { isUndecodable } from '../page/charset.ts';
import { findUnjudgedKind, type UnjudgedKind } from '../page/kind.ts';
import type { Page } from '../page/page.ts';
import { type ReadingDecision, readingCharsMax, readPage } from '../page/read-page.ts';
import { SentenceReader } from './sentences.ts';
import { type PageUrls, readSignals } from './signals.ts';
import { type Signal, scoreSignals } from './weights.ts';

/**
 * Verdict on whether a page with status 200 says that it was not found.
 *
 * `isChecked` is false for pages that cannot be judged. These are undecodable texts, app shells, bot protection, parked
 * domains, login pages, and pages cut off before their first word. In this case, the other two flags are also false. If
 * `isDoubtful`, the page must be compared with a sibling (`decideWithSibling`). `reasons` are the names of all signals
 * for and against a soft 404, or the reason why the page cannot be judged.
 */
export type Soft404Verdict = {
  isChecked: boolean;
  isSoft404: boolean;
  isDoubtful: boolean;
  reasons: string[];
};

/** Decides whether a page is a soft 404. Requests no other page. */
export function judgePage(page: Page, urls: PageUrls, reader = new SentenceReader()): Soft404Verdict {
  const reasons = readSignals(page, urls, reader);
  const kind = findUnjudgedKind(page);
  if (kind !== null && !reasons.some((signal) => overruling[kind].includes(signal))) {
    return { isChecked: false, isSoft404: false, isDoubtful: false, reasons: [kind] };
  }
  const { score, isStrong, isContested } = scoreSignals(reasons);
  const isSoft404 = isStrong && score >= positiveScore;
  const isNear = isStrong && score >= doubtfulScore;
  const isDoubtful = isSoft404
    ? (isContested && score < certainScore) || reasons.includes('late_statement')
    : isNear || reasons.includes('redirected_to_front_page');
  return { isChecked: true, isSoft404, isDoubtful, reasons };
}

/**
 * Decides after a part of a page whether to read more of the page. A page with a headline, long prose and no strong
 * signal exists. Signals in the rest of the page cannot outweigh this. A page with a strong signal must be read
 * completely.
 */
export function decideReading(page: Page, urls: PageUrls, reader: SentenceReader): ReadingDecision {
  if (isUndecodable(page.text) || scoreSignals(readSignals(page, urls, reader)).isStrong) return 'all';
  const hasHeadline = page.headings.some((heading) => heading.level === 1 && heading.isMain);
  return page.title !== '' && hasHeadline ? 'enough' : 'later';
}

/**
 * Reads as much HTML as the verdict needs, and judges the page. `isCut`: the HTML is a part of the document. Returns
 * the part of the page that was read, and the verdict. `visited` is the cost in characters.
 */
export function judgeHtml(html: string, urls: PageUrls, isCut = false) {
  const reader = new SentenceReader();
  const budget = new Budget(readingCharsMax);
  let isReal = false;
  const page = readPage(html, {
    budget,
    isCut,
    decide: (soFar) => {
      const decision = decideReading(soFar, urls, reader);
      isReal = decision === 'enough';
      return decision;
    },
  });
  const verdict = isReal ? realVerdict : judgePage(page, urls, reader);
  return { page, verdict, visited: { reading: budget.visited, judging: reader.budget.visited } };
}

const realVerdict: Soft404Verdict = { isChecked: true, isSoft404: false, isDoubtful: false, reasons: [] };

const doubtfulScore = 60;
const positiveScore = 100;
const certainScore = 110;

// An error page may have little text, or a login form in its header. Such a page is judged if it has one of these
// signals. Bot protection and parked domains are never judged.
const inTitle: readonly Signal[] = [
  'title_not_found',
  'title_error_404',
  'title_404',
  'heading_not_found',
  'heading_error_404',
  'heading_404',
];
const overruling: Readonly<Record<UnjudgedKind, readonly Signal[]>> = {
  undecodable: [],
  bot_wall: [],
  parked_domain: [],
  log_in_page: [...inTitle, 'text_not_found'],
  unread: inTitle,
  app_shell: [...inTitle, 'text_not_found', 'text_404', 'text_gone'],
};
