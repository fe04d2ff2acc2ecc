import { expect } from 'chai';
import { toFileName } from '../../../../server/api/results/export.ts';

const createdAt = new Date('2026-11-20T23:59:59Z');

describe('the name of an export', () => {
  const nameOf = (reference: string | null, selection = {}) =>
    toFileName({ name: null, reference, type: 'http', createdAt }, selection, 'csv');

  it('says what it is, what of it, and when', () => {
    expect(nameOf('October crawl')).to.equal('sonde-october-crawl-2026-11-20.csv');
    expect(nameOf(null)).to.equal('sonde-http-2026-11-20.csv');
    expect(nameOf('October crawl', { show: 'soft404', search: '/shoes' })).to.equal(
      'sonde-october-crawl-soft404-shoes-2026-11-20.csv',
    );
  });

  it('goes by what people call the batch before what a program does', () => {
    const batch = { name: 'Shop, weekly', reference: 'job-17', type: 'http' as const, createdAt };
    expect(toFileName(batch, {}, 'xlsx')).to.equal('sonde-shop-weekly-2026-11-20.xlsx');
  });

  it('has letters, digits and hyphens only, whatever the batch is called', () => {
    expect(nameOf('../../etc/passwd\r\nX: 1')).to.equal('sonde-etc-passwd-x-1-2026-11-20.csv');
    expect(nameOf('Größe Ελλάδα “A”')).to.equal('sonde-größe-ελλάδα-a-2026-11-20.csv');
    expect(nameOf('\u202e ☃ ..')).to.equal('sonde-http-2026-11-20.csv');
    expect(nameOf('x'.repeat(255))).to.have.length('sonde--2026-11-20.csv'.length + 60);
  });
});
