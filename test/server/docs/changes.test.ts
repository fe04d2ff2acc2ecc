import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { changes } from '../../../server/docs/changes.ts';

const ofOperators =
  /`[A-Z]+(?:_[A-Z*]+)*[`=]|\bnpm\b|\badmin [a-z]|[Mm]igrat|`0\d{3}`|\bprocess|\bpurge|`sonde_|\.env/;

describe('the changelog', () => {
  it('tells callers of no command of operators, migration or metric', () => {
    const lines = changes().flatMap(({ lines }) => lines);
    expect(lines).to.have.length.above(50);
    const strange = /\bnpm\b|\badmin [a-z]|\b[Mm]igrat|`0\d{3}`|\/metrics|`sonde_[a-z]+_[a-z]|\.env/;
    expect(lines.filter((line) => strange.test(line))).to.deep.equal([]);
  });

  it('keeps under "Migrations and settings" only what operators have to do with', () => {
    const text = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
    const [, section = ''] = /### Migrations and settings\n\n(.*?)\n###/s.exec(text) ?? [];
    const lines = section.split(/^- /m).filter(Boolean);
    expect(lines).to.have.length.above(10);
    expect(lines.filter((line) => !ofOperators.test(line))).to.deep.equal([]);
  });
});
