import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { formatJudgement, hasPassed, type Judgement } from '../../judge/judgement.ts';
import {
  hardBars,
  hardRecordings,
  judgeSoft404,
  ownRecordings,
  sharedRecordings,
  withMenusFirst,
} from '../../judge/soft-404.ts';

const root = resolve(import.meta.dirname, '../..');
const sharedFixtures = resolve(root, '../shared/fixtures');

describe('judgeSoft404', () => {
  it('is right about every page in test/pages', () => {
    const recordings = ownRecordings(root);
    const judgement = judgeSoft404('own pages', recordings);
    expect(recordings.length).to.be.greaterThan(200);
    expect(judgement.wrong, formatJudgement(judgement)).to.deep.equal([]);
  });

  it('reaches the thresholds on the shared recordings, if there are any', function () {
    if (!existsSync(sharedFixtures)) this.skip();
    const judgement = judgeSoft404('shared', sharedRecordings(sharedFixtures, root));
    expect(hasPassed(judgement), formatJudgement(judgement)).to.equal(true);
  });

  it('reaches the thresholds on hard pages, and with menus before the content', () => {
    for (const recordings of [hardRecordings(), withMenusFirst(ownRecordings(root))]) {
      const judgement = judgeSoft404('hard', recordings, hardBars);
      expect(hasPassed(judgement), formatJudgement(judgement)).to.equal(true);
    }
  });

  it('counts a false positive against precision, and a missed page against recall', () => {
    const swapped = ownRecordings(root)
      .filter(({ expected }) => expected !== 'unjudged')
      .map(
        (recording) =>
          ({ ...recording, expected: recording.expected === 'positive' ? 'negative' : 'positive' }) as const,
      );
    expect(judgeSoft404('swapped', swapped).figures).to.deep.equal({ precision: 0, recall: 0, f1: 0 });
  });

  it('fails below a threshold and lists the wrong verdicts', () => {
    const judgement: Judgement = {
      subject: 'soft 404',
      title: 'two pages',
      items: 2,
      figures: { precision: 0.5, recall: 1 },
      bars: { precision: 0.98 },
      wrong: [{ item: 'a.html', expected: 'negative', got: 'positive', reasons: ['title_404'] }],
    };
    expect(hasPassed(judgement)).to.equal(false);
    expect(formatJudgement(judgement)).to.equal(
      `soft 404, two pages: 2 recordings, NOT PASSED
  precision 0.500 (at least 0.98)   recall 1.000
  wrong: a.html
    expected negative, got positive (title_404)`,
    );
  });
});
