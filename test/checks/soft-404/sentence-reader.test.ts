import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Budget } from '../../../checks/page/budget.ts';
import { decodeHtml } from '../../../checks/page/charset.ts';
import { judgeHtml } from '../../../checks/soft-404/judge-html.ts';
import { readSentences } from '../../../checks/soft-404/phrase-finder.ts';
import { SentenceReader } from '../../../checks/soft-404/sentence-reader.ts';
import {
  hardRecordings,
  ownRecordings,
  type Recording,
  sharedRecordings,
  withMenusFirst,
} from '../../../judge/soft-404.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const recordings = [
  ...ownRecordings(root),
  ...hardRecordings(),
  ...sharedRecordings(join(root, '../shared/fixtures'), root),
];

describe('the sentences of a text that says nothing', () => {
  const verdictOn = ({ bytes, url, askedUrl }: Recording, isThorough: boolean) => {
    const where = { url: askedUrl, finalUrl: url, redirected: url !== askedUrl };
    const reader = new SentenceReader(undefined, { isThorough });
    return judgeHtml(decodeHtml(bytes(), null), where, false, reader).verdict;
  };

  it('are not told, and no verdict is another for it, page by page', () => {
    for (const recording of [...recordings, ...withMenusFirst(recordings)])
      expect(verdictOn(recording, false), recording.name).to.deep.equal(verdictOn(recording, true));
  });

  it('are not told of plain prose, and all are where one of them says something', () => {
    const prose = 'Good shoes for every road. They are light and strong. We send them to you.';
    const terse = (text: string) => readSentences(text, new Budget(1e6), { isTerse: true });
    expect(terse(prose)).to.deep.equal([]);
    for (const more of [
      'This page was not found.',
      'Error 404',
      'Diese Seite wurde entfernt',
      'お探しのページは見つかりません',
    ])
      expect(terse(`${prose}\n${more}`), more).to.deep.equal(readSentences(`${prose}\n${more}`));
  });

  it('are told where a sentence is so long that it is cut, for the cut may make a word', () => {
    const long = `${'a'.repeat(399)} expired`;
    const glued = `${'a'.repeat(400)}expired`;
    for (const text of [long, glued])
      expect(readSentences(text, new Budget(1e6), { isTerse: true })).to.deep.equal(readSentences(text));
  });

  it('are not read line by line where the whole is silent, but are where it may be cut', () => {
    const silent = (text: string, isThorough = false) =>
      new SentenceReader(undefined, { isThorough }).isSilent(text);
    const prose = 'Good shoes for every road.\n'.repeat(100);
    expect(silent(prose)).to.equal(true);
    expect(silent(`${prose}This page was not found.`)).to.equal(false);
    expect(silent(prose, true), 'thorough').to.equal(false);
    expect(silent(prose.repeat(10)), 'too long').to.equal(false);
    // One letter that becomes eighteen.
    expect(silent('\ufdfa\n'.repeat(1_200)), 'swollen').to.equal(false);
  });

  it('are read by a small part of the work', () => {
    const prose = 'Good shoes for every road. They are light and strong. We send them to you.\n'.repeat(20);
    const work = (isTerse: boolean) => {
      const budget = new Budget(1e6);
      readSentences(prose, budget, { isTerse });
      return budget.visited;
    };
    expect(work(true)).to.be.below(work(false));
  });
});
