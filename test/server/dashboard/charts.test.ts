import { expect } from 'chai';
import { columnChart, rankChart } from '../../../server/dashboard/charts.ts';

describe('the chart of credits used', () => {
  const linesOf = (value: number) =>
    columnChart([{ label: '2026-11-20', value }], 340).lines.map(({ label }) => label);

  it('has no line at half a credit', () => {
    expect(linesOf(1)).to.deep.equal(['1']);
    expect(linesOf(4)).to.deep.equal(['5']);
    expect(linesOf(1500)).to.deep.equal(['1,000', '2,000']);
  });
});

describe('the chart of ranks', () => {
  const labelsOf = (...ranks: Array<number | null>) =>
    rankChart(
      ranks.map((rank, day) => ({ checkedAt: new Date(day * 86_400_000), rank })),
      340,
    ).lines.map(({ label }) => label);

  it('says where its scale ends, and leaves out a label that would stand upon that one', () => {
    expect(labelsOf(4, 36)).to.deep.equal(['#1', '#3', '#10', '#20', '#36']);
    expect(labelsOf(23, 9)).to.deep.equal(['#1', '#3', '#10', '#23']);
    expect(labelsOf(2, 1)).to.deep.equal(['#1', '#3', '#10']);
    expect(labelsOf(100, null)).to.deep.equal(['#1', '#3', '#10', '#20', '#50', '#100', 'none']);
  });
});
