import { Budget } from '../page/budget.ts';
import type { Page } from '../page/page.ts';
import { readingCharsMax, readPage } from '../page/read-page.ts';
import { SentenceReader } from './sentences.ts';
import type { PageUrls } from './signals.ts';
import { decideReading, judgePage, type Soft404Verdict } from './soft-404.ts';

/** The part of a page that was read, and the verdict on the page. `visited` is the cost in characters. */
type JudgedPage = {
  page: Page;
  verdict: Soft404Verdict;
  visited: { reading: number; judging: number };
};

/** Reads as much HTML as the verdict needs, and judges the page. `isCut`: the HTML is a part of the document. */
export function judgeHtml(html: string, urls: PageUrls, isCut = false): JudgedPage {
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
