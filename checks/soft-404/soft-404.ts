import { isUndecodable } from '../page/charset.ts';
import { type UnjudgedKind, unjudgedKind } from '../page/kind.ts';
import type { Page } from '../page/page.ts';
import type { PageGlance } from '../page/read-page.ts';
import { SentenceReader } from './sentences.ts';
import { readSignals, type Where } from './signals.ts';
import { type Signal, weigh } from './weights.ts';

/**
 * Whether a page answered with 200 tells its reader that it was not found.
 *
 * `isChecked` is false for what cannot be judged: undecodable text, app shells, bot walls, parked domains, log-in
 * pages, pages cut off before their first word; then nothing else is true. `isDoubtful` asks for one more look, at a
 * sibling (`decideWithSibling`). `reasons` are the names of the signals found, for and against, or what keeps the page
 * from being judged; callers see them as `soft404_reasons`, unless the page was judged and is none.
 */
export type Soft404Verdict = {
  isChecked: boolean;
  isSoft404: boolean;
  isDoubtful: boolean;
  reasons: string[];
};

/** Judges a page by itself. */
export function judgePage(page: Page, where: Where, reader = new SentenceReader()): Soft404Verdict {
  const reasons = readSignals(page, where, reader);
  const kind = unjudgedKind(page);
  if (kind !== null && !reasons.some((signal) => overruling[kind].includes(signal))) {
    return { isChecked: false, isSoft404: false, isDoubtful: false, reasons: [kind] };
  }
  const { score, isStrong, isContested } = weigh(reasons);
  const isSoft404 = isStrong && score >= positiveScore;
  const isNear = isStrong && score >= doubtfulScore;
  const isDoubtful = isSoft404
    ? (isContested && score < certainScore) || reasons.includes('late_statement')
    : isNear || reasons.includes('redirected_to_front_page');
  return { isChecked: true, isSoft404, isDoubtful, reasons };
}

/**
 * What the beginning of a page says of the rest. It is surely real, and the rest need not be read, if it has
 * a headline and long prose of its own and nothing says that it was not found: what may come below weighs
 * less than that. Where something strong does say so, no more of the page can take it back.
 */
export function glanceAt(page: Page, where: Where, reader: SentenceReader): PageGlance {
  if (isUndecodable(page.text) || weigh(readSignals(page, where, reader)).isStrong) return 'all';
  const hasHeadline = page.headings.some((heading) => heading.level === 1 && heading.isMain);
  return page.title !== '' && hasHeadline ? 'enough' : 'later';
}

const doubtfulScore = 60;
const positiveScore = 100;
const certainScore = 110;

// An error page may hold little text, or a log-in form in its header; what a wall or a parked domain says is
// not ours.
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
