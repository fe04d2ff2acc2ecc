import { expect } from 'chai';
import type { SeriesEntry } from '../../../schemas/monitor-series.ts';
import { columnChart, rankChart } from '../../../server/dashboard/charts.ts';
import { createMonitorPicture } from '../../../server/dashboard/monitors/monitor-picture.ts';

describe('the chart of credits used', () => {
  const drawLines = (value: number) =>
    columnChart([{ label: '2026-11-20', value }], 340).lines.map(({ label }) => label);

  it('has no line at half a credit', () => {
    expect(drawLines(1)).to.deep.equal(['1']);
    expect(drawLines(4)).to.deep.equal(['5']);
    expect(drawLines(1500)).to.deep.equal(['1,000', '2,000']);
  });
});

describe('the chart of ranks', () => {
  const drawLabels = (...ranks: Array<number | null>) =>
    rankChart(
      ranks.map((rank, day) => ({ checkedAt: new Date(day * 86_400_000), rank })),
      340,
    ).lines.map(({ label }) => label);

  it('labels the end of its scale, and omits a label that would overlap it', () => {
    expect(drawLabels(4, 36)).to.deep.equal(['#1', '#3', '#10', '#20', '#36']);
    expect(drawLabels(23, 9)).to.deep.equal(['#1', '#3', '#10', '#23']);
    expect(drawLabels(2, 1)).to.deep.equal(['#1', '#3', '#10']);
    expect(drawLabels(100, null)).to.deep.equal(['#1', '#3', '#10', '#20', '#50', '#100', 'none']);
  });
});

describe('the chart of a monitor', () => {
  const drawn = (type: 'http' | 'index', shares: Array<Partial<SeriesEntry>>) => {
    const series = shares.map((share, day) => ({
      at: new Date(day * 86_400_000).toISOString(),
      coverage: 1,
      ...share,
    }));
    const { pictures, table } = createMonitorPicture(type, series as SeriesEntry[]);
    const [picture] = pictures;
    const [chart] = picture?.charts ?? [];
    const ways = chart?.lines.map((of) => of.length);
    return { labels: picture?.lines.map(({ label }) => label), ways, dots: chart?.dots.length, table };
  };
  const all = 'Answered (of all)';

  it('omits a line of zeros that would cover another, and says so', () => {
    const none = { share_dead: 0, share_soft404: 0 };
    const { labels, ways, table } = drawn('http', [none, none]);
    expect(labels).to.deep.equal(['Dead: 0% throughout', 'Soft 404: 0% throughout', all]);
    expect(ways).to.deep.equal([0, 0, 1]);
    expect(table.columns).to.deep.equal(['Dead', 'Soft 404', all]);
    expect(table.rows[0]?.cells.slice(0, 2)).to.deep.equal(['0%', '0%']);
    expect(drawn('http', [none]).dots).to.equal(1);
  });

  it('draws a line that was above zero once, and has no label without data', () => {
    const { labels, ways } = drawn('http', [
      { share_dead: 0, share_soft404: 0 },
      { share_dead: 0.1, share_soft404: 0 },
    ]);
    expect(labels).to.deep.equal(['Dead', 'Soft 404: 0% throughout', all]);
    expect(ways).to.deep.equal([1, 0, 1]);
    expect(drawn('index', [{ coverage: 0 }, { coverage: 0 }]).labels?.[0]).to.equal('Indexed');
  });
});
