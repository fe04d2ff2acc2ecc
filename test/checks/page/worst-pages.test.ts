import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { runPageTask } from '../../../checks/page/page-task.ts';
import { readingCharsMax } from '../../../checks/page/read-page.ts';
import { judgeHtml } from '../../../checks/soft-404/soft-404.ts';
import { expectLinear as expectLinearTime } from '../../support/growth.ts';
import { Random } from '../../support/random.ts';
import { seedOfRun } from '../../support/seed.ts';
import { checkTarget } from '../../support/target-tools.ts';
import { useSite } from '../../support/web.ts';
import { countWork, type Work } from '../../support/work.ts';
import {
  attributeFillers,
  attributeRecipe,
  attributeStarts,
  changeRecipe,
  makePage,
  type PageRecipe,
} from '../../support/worst-pages.ts';

const urls = { url: 'https://a.example/b/c', finalUrl: 'https://a.example/b/c', redirected: false };
const pageChars = 1024 * 1024;
const pieceCharsMin = 4 * 1024;
const pieceCharsMax = 64 * 1024;
// Without a declared charset, the reader first looks for a declaration, then reads a sample, and then reads the page.
const passes = 3;
const prescanPieces = 200;
// The judged text and titles, and first-time lookups of the process.
const judgedUnitsMax = 600_000;
const decodersMax = 50;

/** Checks that the work is bounded by the length of the page. */
function expectLinear(work: Work, html: string, what: string): void {
  expect(work.unitsRead, what).to.be.below(8 * html.length + judgedUnitsMax);
  const scripts = html.match(/<(?:script|style)/giu) ?? [];
  const piecesMax = html.length / pieceCharsMin + passes * scripts.length + prescanPieces;
  expect(work.pieces, what).to.be.within(1, piecesMax);
  expect(work.longestPiece, what).to.be.at.most(pieceCharsMax);
  expect(work.decoders, what).to.be.at.most(decodersMax);
}

describe('the work on hostile pages', () => {
  it('grows linearly with their length, whatever they contain', async () => {
    const seed = seedOfRun();
    const random = new Random(seed);
    const chars = 16 * 1024;
    let recipe: PageRecipe = { head: '', parts: [] };
    for (let page = 0; page < 60; page++) {
      recipe = random.chance(0.05) ? { head: '', parts: [] } : changeRecipe(recipe, random);
      const html = makePage(recipe).slice(0, chars);
      const [work, { visited }] = await countWork(() => judgeHtml(html, urls));
      const what = `TEST_SEED=${seed}, page ${page}: ${JSON.stringify(recipe).slice(0, 500)}`;
      if (html !== '') expectLinear(work, html, what);
      expect(visited.reading, what).to.be.below(12 * html.length + 100);
    }
  });

  it('stays below the budget of a page of 1 MiB', async () => {
    const seed = seedOfRun();
    const random = new Random(seed);
    for (let page = 0; page < 8; page++) {
      let recipe: PageRecipe = { head: '', parts: [] };
      for (let change = 0; change < 12; change++) recipe = changeRecipe(recipe, random);
      const html = makePage({ ...recipe, parts: [...recipe.parts, ['<p>a', pageChars]] }).slice(0, pageChars);
      const [work, { visited }] = await countWork(() => judgeHtml(html, urls));
      const what = `TEST_SEED=${seed}, page ${page}: ${JSON.stringify(recipe).slice(0, 500)}`;
      expectLinear(work, html, what);
      expect(visited.reading, what).to.be.below(readingCharsMax + 500_000);
    }
  });
});

describe('the time for one long attribute', () => {
  const read = (html: string) =>
    runPageTask({
      bytes: Buffer.from(html),
      contentType: 'text/html',
      isCut: false,
      urls,
      isWhole: false,
    });
  for (const start of attributeStarts) {
    it(`grows linearly with its length: ${start}`, async () => {
      for (const filler of attributeFillers) {
        const chars = 64 * 1024;
        await expectLinearTime(read, (share) => makePage(attributeRecipe(start, filler, chars * share)));
      }
    });
  }
});

/** Pages of 1 MiB that compress to a few KiB. */
const bombs: Record<string, string> = {
  'scripts in the comment of a script': `\u202e${repeated('-->')}${repeated('<script><!--<script>')}`,
  'scripts in the comment of a script, and nothing else': repeated('<script><!--<script>'),
  'ends of comments in a script': `\u202e<script><!--${repeated('-->')}`,
  'partial end tags in a style': `\u202e<style>${repeated('</styl')}`,
  'partial end tags in a text area': `\u202e<textarea>${repeated('</textare&')}`,
  'partial end tags in a title': `\u202e<title>${repeated('</titl&#')}`,
  'CDATA that never ends': `\u202e${repeated('<![CDATA[>')}`,
  'comments that never end': `\u202e<!--${repeated('--!-')}`,
  'partial names of entities': `\u202e${repeated('&CounterClockwiseContourIntegra')}`,
  'an attribute of entities': `\u202e<a class="${repeated('&amp;')}`,
};

/** Pages in an undeclared charset other than UTF-8, which the reader looks for in the head and the text. */
const undeclared: Record<string, string> = {
  'a head that never ends': `é${repeated('<noscript>no ')}`,
  'a head of scripts': `é${repeated('<script></script>')}`,
  'text of letters and entities': repeated('é&\u00ff'),
  'text that begins late': `${repeated('no ')}${repeated('é<b>')}`,
  'a head of unknown charsets': `é${repeated('<meta charset=klingon>')}`,
};

function repeated(piece: string): string {
  return piece.repeat(Math.ceil(pageChars / 2 / piece.length));
}

describe('a check of a page that compresses well', () => {
  const site = useSite((req, res) => {
    const name = decodeURIComponent(req.url?.slice(1).split('-')[0] ?? '');
    const type = name in bombs ? 'text/html; charset=utf-8' : 'text/html';
    res.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' });
    res.end(gzipSync(bombs[name] ?? Buffer.from(undeclared[name] ?? '', 'latin1')));
  });

  for (const [what, html] of Object.entries({ ...bombs, ...undeclared })) {
    it(`does linear work: ${what}`, async () => {
      const [work, outcome] = await countWork(() => checkTarget(`${site.url}/${encodeURIComponent(what)}`));
      expect(outcome).to.have.property('answer').that.includes({ status: 200, error: null });
      expectLinear(work, html, what);
    });
  }
});
