import { expect } from 'chai';
import { toFileName } from '../../../../server/api/results/export.ts';

const createdAt = new Date('2026-11-20T23:59:59Z');

describe('the file name of an export', () => {
  const getName = (reference: string | null, selection = {}) =>
    toFileName({ name: null, reference, type: 'http', createdAt }, selection, 'csv');

  it('contains the batch, the selection and the date', () => {
    expect(getName('October crawl')).to.equal('sonde-october-crawl-2026-11-20.csv');
    expect(getName(null)).to.equal('sonde-http-2026-11-20.csv');
    expect(getName('October crawl', { show: 'soft404', search: '/shoes' })).to.equal(
      'sonde-october-crawl-soft404-shoes-2026-11-20.csv',
    );
  });

  it('prefers the name of the batch over its reference', () => {
    const batch = { name: 'Shop, weekly', reference: 'job-17', type: 'http' as const, createdAt };
    expect(toFileName(batch, {}, 'xlsx')).to.equal('sonde-shop-weekly-2026-11-20.xlsx');
  });

  it('contains only letters, digits and hyphens', () => {
    expect(getName('../../etc/passwd\r\nX: 1')).to.equal('sonde-etc-passwd-x-1-2026-11-20.csv');
    expect(getName('Größe Ελλάδα “A”')).to.equal('sonde-größe-ελλάδα-a-2026-11-20.csv');
    expect(getName('\u202e ☃ ..')).to.equal('sonde-http-2026-11-20.csv');
    expect(getName('x'.repeat(255))).to.have.length('sonde--2026-11-20.csv'.length + 60);
  });
});
