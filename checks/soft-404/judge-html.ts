import { Budget } from '../page/budget.ts';
import type { Page } from '../page/page.ts';
import { readingCharsMax, readPage } from '../page/read-page.ts';
import { SentenceReader } from './sentences.ts';
import type { Where } from './signals.ts';
import { glanceAt, judgePage, type Soft404Verdict } from './soft-404.ts';

/** A page as far as it was read, its verdict, and the characters that reading and judging it visited. */
export type JudgedPage = {
  page: Page;
  verdict: Soft404Verdict;
  visited: { reading: number; judging: number };
};

/**
 * Reads HTML as far as its verdict needs it and judges it by what was read: all that is done to a stranger's
 * page. `isCut`: the HTML is not all there was.
 */
export function judgeHtml(
  html: string,
  where: Where,
  isCut = false,
  reader = new SentenceReader(),
): JudgedPage {
  const budget = new Budget(readingCharsMax);
  let isReal = false;
  const page = readPage(html, {
    budget,
    isCut,
    glance: (soFar) => {
      const glance = glanceAt(soFar, where, reader);
      isReal = glance === 'enough';
      return glance;
    },
  });
  const verdict = isReal ? realVerdict : judgePage(page, where, reader);
  return { page, verdict, visited: { reading: budget.visited, judging: reader.budget.visited } };
}

const realVerdict: Soft404Verdict = { isChecked: true, isSoft404: false, isDoubtful: false, reasons: [] };
