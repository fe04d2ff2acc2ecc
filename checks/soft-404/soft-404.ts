import { type UnjudgedKind, unjudgedKind } from '../page/kind.ts';
import type { Page } from '../page/page.ts';
import { readSignals, type Where } from './signals.ts';
import { type Signal, weigh } from './weights.ts';

/**
 * Whether a page answered with 200 tells its reader that it was not found.
 *
 * `isChecked` is false for what cannot be judged: app shells, bot walls, parked domains, log-in pages; then nothing
 * else is true. `isDoubtful` asks for one more look, at a sibling (`decideWithSibling`). `reasons` are the names of
 * the signals found, for and against; shown to callers as `soft404_reasons` (DESIGN.md section 8).
 */
export type Soft404Verdict = {
  isChecked: boolean;
  isSoft404: boolean;
  isDoubtful: boolean;
  reasons: string[];
};

/** Judges a page by itself. */
export function judgePage(page: Page, where: Where): Soft404Verdict {
  const reasons = readSignals(page, where);
  const kind = unjudgedKind(page);
  if (kind !== null && !reasons.some((signal) => overruling[kind].includes(signal))) {
    return { isChecked: false, isSoft404: false, isDoubtful: false, reasons: [kind] };
  }
  const { score, isStrong, isContested } = weigh(reasons);
  const isSoft404 = isStrong && score >= positiveScore;
  const isNear = isStrong && score >= doubtfulScore;
  const isDoubtful = isSoft404
    ? isContested && score < certainScore
    : isNear || reasons.includes('redirected_to_front_page');
  return { isChecked: true, isSoft404, isDoubtful, reasons };
}

/**
 * Whether a page of which only the beginning was read is surely none: it has a headline and long prose of its own, and
 * nothing so far says that it was not found. What may come below weighs less than that.
 */
export function isClearlyReal(page: Page, where: Where): boolean {
  const hasHeadline = page.headings.some((heading) => heading.level === 1 && heading.isMain);
  return page.title !== '' && hasHeadline && !weigh(readSignals(page, where)).isStrong;
}

const doubtfulScore = 60;
const positiveScore = 100;
const certainScore = 110;

// An error page may hold little text, or a log-in form in its header; what a wall or a parked domain says is not ours.
const inTitle: readonly Signal[] = [
  'title_not_found',
  'title_error_404',
  'title_404',
  'heading_not_found',
  'heading_error_404',
  'heading_404',
];
const overruling: Readonly<Record<UnjudgedKind, readonly Signal[]>> = {
  bot_wall: [],
  parked_domain: [],
  log_in_page: [...inTitle, 'text_not_found'],
  app_shell: [...inTitle, 'text_not_found', 'text_404', 'text_gone'],
};
