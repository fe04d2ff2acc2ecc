import { expect } from 'chai';
import { createTargetParser } from '../../../server/api/queries.ts';
import { countParses } from '../../support/parses.ts';

describe('parsing the targets of a list', () => {
  it('caches up to 1,000 targets', () => {
    const targets = createTargetParser();
    const of = (text: string) => targets.parseMatch(text);
    const competitors = Array.from({ length: 1000 }, (_, n) => `bücher${n}.example`);
    expect(countParses(() => competitors.map(of)).parses).to.equal(1000);
    expect(countParses(() => competitors.map(of)).parses).to.equal(0);
    expect(countParses(() => ['a.de', 'a.de'].map(of)).parses).to.equal(2);
  });

  it('detects the match type, or uses the requested one', () => {
    const targets = createTargetParser();
    for (const text of ['a.de', 'a.de/x', 'com', 'a.de']) {
      const implied = { 'a.de': 'site', 'a.de/x': 'page' }[text] ?? null;
      expect(targets.parseMatch(text)).to.equal(implied);
      expect(targets.parseMatch(text, 'prefix')).to.equal(implied && 'prefix');
    }
  });
});
