import { expect } from 'chai';
import { toFileName } from '../../../../server/api/results/export.ts';

const createdAt = new Date('2026-11-20T23:59:59Z');

describe('the file name of an export', () => {
  const getName = (reference: string | null, selection = {}) =>
    toFileName({ name: null, reference, type: 'http', createdAt }, selection, 'csv');

  it('contains only letters, digits and hyphens', () => {
    expect(getName('../../etc/passwd\r\nX: 1')).to.equal('sonde-etc-passwd-x-1-2026-11-20.csv');
    expect(getName('Größe Ελλάδα “A”')).to.equal('sonde-größe-ελλάδα-a-2026-11-20.csv');
    expect(getName('\u202e ☃ ..')).to.equal('sonde-http-2026-11-20.csv');
    expect(getName('x'.repeat(255))).to.have.length('sonde--2026-11-20.csv'.length + 60);
  });
});
