import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { judgeSerp } from '../../judge/serp.ts';
import { layouts, nothingMatchesPage, organicResults } from '../support/google-pages.ts';

const recordingsFolder = join(import.meta.dirname, '../../../shared/fixtures');

describe('the judge of recorded result pages', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recordings-'));
    await mkdir(join(folder, 'serp'));
    const label = (file: string, urls: string[], more = {}) => ({
      file: `serp/${file}`,
      provider: 'google',
      organic: urls.map((url, index) => ({ position: index + 1, url })),
      is_no_results: false,
      is_block_page: false,
      ...more,
    });
    const serp = [
      label('right.html', organicResults),
      label('wrong.html', [organicResults[0]!, 'https://other.example/', organicResults[2]!]),
      label('none.html', [], { is_no_results: true }),
      label('block.html', [], { is_block_page: true }),
      label('missed-block.html', [], { is_block_page: true }),
      label('other.json', ['https://one.example/'], { provider: 'nobody' }),
    ];
    const files = {
      'EXPECTED.json': JSON.stringify({ serp }),
      'serp/right.html': layouts[0]!.html,
      'serp/wrong.html': layouts[1]!.html,
      'serp/none.html': nothingMatchesPage(['Your search -', '- did not match any documents.'], 'en'),
      'serp/block.html': '<form id="captcha-form"></form>',
      'serp/missed-block.html': layouts[2]!.html,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  });
  after(() => rm(folder, { recursive: true }));

  it('counts positions, and names each mistake', () => {
    expect(judgeSerp(folder)).to.deep.equal({
      pages: 5,
      positions: 6,
      right: 5,
      share: 5 / 6,
      emptyOrBlocked: 3,
      emptyOrBlockedRight: 2,
      mistakes: [
        { file: 'serp/wrong.html', position: 2, expected: 'https://other.example/', got: organicResults[1] },
        { file: 'serp/missed-block.html', position: null, expected: 'a failure', got: '3 results' },
      ],
      skipped: ['serp/other.json'],
    });
  });

  it('reads at least 98 % of the recordings of the project right', function () {
    if (!existsSync(join(recordingsFolder, 'EXPECTED.json'))) this.skip();
    const { share, mistakes } = judgeSerp(recordingsFolder);
    expect(share).to.be.at.least(0.98);
    expect(mistakes.filter(({ position }) => position === null)).to.deep.equal([]);
  });
});
