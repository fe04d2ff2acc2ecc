import { expect } from 'chai';
import { changes } from '../../../server/docs/pages.ts';

describe('the changelog', () => {
  it('tells callers of no command of operators, migration or metric', () => {
    const entries = changes();
    expect(entries.map(({ kind }) => kind)).to.include.members(['Checks', 'Batches', 'Monitors', 'Webhooks']);
    const lines = entries.flatMap(({ lines }) => lines);
    expect(lines).to.have.length.above(20);
    const strange = /\bnpm\b|\badmin [a-z]|\b[Mm]igrat|`0\d{3}`|\/metrics|`sonde_[a-z]+_[a-z]|\.env/;
    expect(lines.filter((line) => strange.test(line))).to.deep.equal([]);
  });
});
