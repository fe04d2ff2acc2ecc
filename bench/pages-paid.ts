import type { Outcome } from '../checks/outcome.ts';
import { checkIndex } from '../checks/search/index-check.ts';
import { checkRank } from '../checks/search/rank-check.ts';
import { readRankTarget } from '../checks/search/target.ts';
import { startProvider } from '../test/support/provider.ts';
import { type Talk, talks } from '../test/support/replies.ts';
import { patient, searchWith } from '../test/support/serps.ts';
import { answering, type Pages, pagesOf } from '../test/support/simulated-google.ts';
import type { Figure } from './figures.ts';

const google = pagesOf([9, 10, 8, 12, 6, 11, 9, 7, 10, 8], 1);
const ranks = [1, 5, 15, 55];
const indexedUrl = 'https://s1.example/page';

/**
 * What an answer costs in pages of results, through each provider: a mix of an indexed and a not indexed address, of
 * sites ranked at 1, 5, 15 and 55 and of one that is not ranked, beside the pages that lie on the way.
 */
export async function benchPagesPaid(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const talk of talks) figures.push(await figureOf(talk));
  return figures;
}

async function figureOf(talk: Talk): Promise<Figure> {
  const server = await startProvider();
  try {
    const provider = talk.source.make(talk.env(server.baseUrl), 10_000);
    const search = searchWith([provider]);
    let paid = 0;
    const count = (outcome: Outcome) => {
      if (outcome.state === 'failed') throw new Error(`${talk.source.name}: ${outcome.error}`);
      paid += outcome.cost?.pages ?? 0;
    };
    const answer = (query: string, pages: Pages) => server.willAnswer(answering(talk, query, pages));
    answer('s1.example/page', google);
    count(await checkIndex(indexedUrl, search, patient));
    // The reply names the query that was asked, of which there are two.
    server.willAnswer((request) => answering(talk, queryOf(request.url, request.body), [[]])(request));
    count(await checkIndex('https://nowhere.example/page', search, patient));
    answer('shoes', google);
    for (const rank of ranks) count(await checkRank(questionOf(`s${rank}.example`), search, patient));
    count(await checkRank(questionOf('nowhere.example'), search, patient));
    const onTheWay = 1 + 2 + ranks.reduce((sum, rank) => sum + pageOf(rank), 0) + google.length;
    const answers = ranks.length + 3;
    return {
      what: `${talk.source.name}: pages paid per answered check of a mix`,
      value: `${(paid / answers).toFixed(2)} (${paid} pages for ${answers} checks; ${onTheWay} lie on the way)`,
      bar: `≤ ${onTheWay + answers} pages`,
      isMet: paid <= onTheWay + answers,
    };
  } finally {
    await server.close();
  }
}

function questionOf(site: string) {
  const target = readRankTarget(site);
  if (!target) throw new TypeError(site);
  const where = { country: 'US', language: 'en', device: 'desktop', startPage: 1, endPage: 10 } as const;
  return { target, keyword: 'shoes', competitors: [], isFull: false, ...where };
}

/** The page on which a rank stands. */
function pageOf(rank: number): number {
  return google.findIndex((page) => page.includes(`https://s${rank}.example/page`)) + 1;
}

const wordsOfQuery = /(?:site:)?nowhere\.example\/page/;

function queryOf(url: URL, body: string): string {
  return wordsOfQuery.exec(decodeURIComponent(`${url.search} ${body}`))?.[0] ?? '';
}
