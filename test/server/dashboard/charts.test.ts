import { expect } from 'chai';
import { columnChart } from '../../../server/dashboard/charts.ts';

describe('the chart of credits used', () => {
  const linesOf = (value: number) =>
    columnChart([{ label: '2026-11-20', value }], 340).lines.map(({ label }) => label);

  it('has no line at half a credit', () => {
    expect(linesOf(1)).to.deep.equal(['1']);
    expect(linesOf(4)).to.deep.equal(['5']);
    expect(linesOf(1500)).to.deep.equal(['1,000', '2,000']);
  });
});
