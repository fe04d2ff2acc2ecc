import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { checkHttpStatus } from '../../../checks/http/http-status.ts';
import { Siblings } from '../../../checks/page/findings.ts';
import { runPageTask } from '../../../checks/page/page-task.ts';
import { readingCharsMax } from '../../../checks/page/read-page.ts';
import { judgeHtml } from '../../../checks/soft-404/judge-html.ts';
import { createAddressPolicy } from '../../../net/address.ts';
import { createAgents } from '../../../net/agent.ts';
import { createResolver } from '../../../net/resolver.ts';
import { expectLinear as expectLinearTime } from '../../support/growth.ts';
import { Random } from '../../support/random.ts';
import { seedOfRun } from '../../support/seed.ts';
import { targetTools } from '../../support/target-tools.ts';
import { countWork, type Work } from '../../support/work.ts';
import {
  attributeFillers,
  attributeRecipe,
  attributeStarts,
  changeRecipe,
  makePage,
  type PageRecipe,
} from '../../support/worst-pages.ts';

const where = { url: 'https://a.example/b/c', finalUrl: 'https://a.example/b/c', redirected: false };
const pageChars = 1024 * 1024;
const pieceCharsMin = 4 * 1024;
const pieceCharsMax = 64 * 1024;
// Where no charset is declared, a declaration and then a sample are looked for before the page is read.
const passes = 3;
const prescanPieces = 200;
// The text and titles that are judged, and what the process looks up first.
const judgedUnitsMax = 600_000;
const decodersMax = 50;

/** Bounds that a page cannot exceed by what it consists of: so many steps for each of its characters. */
function expectLinear(work: Work, html: string, what: string): void {
  expect(work.unitsRead, what).to.be.below(8 * html.length + judgedUnitsMax);
  const scripts = html.match(/<(?:script|style)/giu) ?? [];
  const piecesMax = html.length / pieceCharsMin + passes * scripts.length + prescanPieces;
  expect(work.pieces, what).to.be.within(1, piecesMax);
  expect(work.longestPiece, what).to.be.at.most(pieceCharsMax);
  expect(work.decoders, what).to.be.at.most(decodersMax);
}

describe('work on hostile pages', () => {
  it('grows with their length at most, whatever they consist of', async () => {
    const seed = seedOfRun();
    const random = new Random(seed);
    const chars = 16 * 1024;
    let recipe: PageRecipe = { head: '', parts: [] };
    for (let page = 0; page < 120; page++) {
      recipe = random.chance(0.05) ? { head: '', parts: [] } : changeRecipe(recipe, random);
      const html = makePage(recipe).slice(0, chars);
      const [work, { visited }] = await countWork(() => judgeHtml(html, where));
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
      const [work, { visited }] = await countWork(() => judgeHtml(html, where));
      const what = `TEST_SEED=${seed}, page ${page}: ${JSON.stringify(recipe).slice(0, 500)}`;
      expectLinear(work, html, what);
      expect(visited.reading, what).to.be.below(readingCharsMax + 500_000);
    }
  });
});

describe('time for one long attribute', () => {
  const read = (html: string) =>
    runPageTask({
      bytes: Buffer.from(html),
      contentType: 'text/html',
      isCut: false,
      where,
      isWhole: false,
    });
  for (const start of attributeStarts) {
    it(`grows with its length and no faster: ${start}`, async () => {
      for (const filler of attributeFillers) {
        const chars = 64 * 1024;
        await expectLinearTime(read, (share) => makePage(attributeRecipe(start, filler, chars * share)));
      }
    });
  }
});

/** Pages of 1 MiB that are a few KiB on their way. */
const bombs: Record<string, string> = {
  'scripts in the comment of a script': `\u202e${repeated('-->')}${repeated('<script><!--<script>')}`,
  'scripts in the comment of a script, and nothing else': repeated('<script><!--<script>'),
  'ends of comments in a script': `\u202e<script><!--${repeated('-->')}`,
  'ends that are none in a style': `\u202e<style>${repeated('</styl')}`,
  'ends that are none in a text area': `\u202e<textarea>${repeated('</textare&')}`,
  'ends that are none in a title': `\u202e<title>${repeated('</titl&#')}`,
  'CDATA that never ends': `\u202e${repeated('<![CDATA[>')}`,
  'comments that never end': `\u202e<!--${repeated('--!-')}`,
  'names of entities that are none': `\u202e${repeated('&CounterClockwiseContourIntegra')}`,
  'an attribute of entities': `\u202e<a class="${repeated('&amp;')}`,
};

/** The same in a charset that is not declared and not UTF-8, so that it is looked for in the head and the text. */
const undeclared: Record<string, string> = {
  'a head that never ends': `é${repeated('<noscript>no ')}`,
  'a head of scripts': `é${repeated('<script></script>')}`,
  'text of letters and entities': repeated('é&\u00ff'),
  'text that begins late': `${repeated('no ')}${repeated('é<b>')}`,
  'a head of declarations that nobody knows': `é${repeated('<meta charset=klingon>')}`,
};

function repeated(piece: string): string {
  return piece.repeat(Math.ceil(pageChars / 2 / piece.length));
}

describe('checks of pages that are small on their way and large here', () => {
  let server: Server;
  let baseUrl: string;

  before(async () => {
    server = createServer((req, res) => {
      const name = decodeURIComponent(req.url?.slice(1).split('-')[0] ?? '');
      const type = name in bombs ? 'text/html; charset=utf-8' : 'text/html';
      res.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' });
      res.end(gzipSync(bombs[name] ?? Buffer.from(undeclared[name] ?? '', 'latin1')));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const [what, html] of Object.entries({ ...bombs, ...undeclared })) {
    it(`does as much as their length for ${what}`, async () => {
      const policy = createAddressPolicy(['127.0.0.0/8']);
      const agents = createAgents({ policy, resolver: createResolver() });
      const signal = new AbortController().signal;
      const tools = { policy, agents, accountId: 1, siblings: new Siblings(), target: await targetTools() };
      const [work, outcome] = await countWork(() =>
        checkHttpStatus(
          { url: new URL(`${baseUrl}/${encodeURIComponent(what)}`), followRedirects: true },
          { ...tools, userAgent: 'test', timeoutMs: 60_000, signal },
        ),
      );
      agents.close();
      expect(outcome).to.have.property('answer').that.includes({ status: 200, error: null });
      expectLinear(work, html, what);
    });
  }
});
