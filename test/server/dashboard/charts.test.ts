import { expect } from 'chai';
import { columnChart, createLineChart, type LineChartInput } from '../../../server/dashboard/charts.ts';
import { rankAnswer, rankQuery } from '../../support/answers.ts';
import { bringAxe, ColourJudge, faultsOf } from '../../support/axe.ts';
import { openAs } from '../../support/dashboard.ts';
import { monitored } from '../../support/monitored.ts';
import { useAccount, useService } from '../../support/service.ts';

const dayMs = 86_400_000;

describe('the chart of credits used', () => {
  const drawLines = (value: number) =>
    columnChart([{ label: '2026-11-20', value }], 340).lines.map(({ label }) => label);

  it('has no line at half a credit', () => {
    expect(drawLines(1)).to.deep.equal(['1']);
    expect(drawLines(4)).to.deep.equal(['5']);
    expect(drawLines(1500)).to.deep.equal(['1,000', '2,000']);
  });
});

describe('a line chart', () => {
  /** Draws one line per list of values, a value per day. */
  const draw = (scale: LineChartInput['scale'], ...lines: LineChartInput['rows'][number]['values'][]) =>
    createLineChart({
      title: 'Test',
      scale,
      lines: lines.map((_, number) => ({ label: `line ${number}` })),
      rows: (lines[0] ?? []).map((_, day) => ({
        at: [new Date(day * dayMs)],
        values: lines.map((values) => values[day]),
      })),
      missing: 'not ranked',
    });
  const labels = ({ charts }: ReturnType<typeof draw>) => charts[1]?.rules.map(({ label }) => label);

  it('fits its axis to the data', () => {
    expect(labels(draw('rank', [4, 36]))).to.deep.equal([
      '#3',
      '#5',
      '#7',
      '#10',
      '#15',
      '#20',
      '#30',
      '#50',
    ]);
    expect(labels(draw('rank', [24, 21]))).to.deep.equal(['#20', '#30']);
    expect(labels(draw('rank', [1]))).to.deep.equal(['#1', '#2']);
    expect(labels(draw('share', [0.85, 0.94]))).to.deep.equal(['85%', '90%', '95%']);
    expect(labels(draw('share', [0.01, 0.06]))).to.deep.equal(['0%', '2%', '4%', '6%']);
    expect(labels(draw('share', [0]))?.at(0)).to.equal('0%');
    expect(labels(draw('share', [1, 1]))).to.deep.equal(['99.8%', '100%']);
    expect(labels(draw('share', [null]))).to.deep.equal(['0%', '50%', '100%']);
    expect(labels(draw('rank', [null, null]))).to.deep.equal(['#1', '#2', '#3', '#5', '#7', '#10']);
  });

  it('does not squeeze 6% beside a line at 100%', () => {
    const chart = draw('share', [0.04, 0.06], [1, 1]);
    expect(chart.scale).to.equal('root');
    expect(labels(chart)).to.deep.equal(['0%', '1%', '5%', '10%', '25%', '50%', '100%']);
    const [bottom = 0, , , , , , top = 0] = chart.charts[0]?.rules.map(({ y }) => y) ?? [];
    const lastY = Number(/ ([\d.]+)$/.exec(chart.charts[0]?.ways[0]?.line ?? '')?.[1]);
    expect((bottom - lastY) / (bottom - top)).to.be.within(0.2, 0.3);
  });

  it('interrupts a line where a value is missing, and says why in the table', () => {
    const { charts, table, lines } = draw('rank', [3, 4, null, 5, 6], [1, 'not searched', undefined, 2, 3]);
    const [wide] = charts;
    expect(wide?.ways[0]?.line.match(/M/g)).to.have.length(2);
    expect(table.rows.map(({ cells }) => cells)).to.deep.equal([
      ['#6', '#3'],
      ['#5', '#2'],
      ['not ranked', ''],
      ['#4', 'not searched'],
      ['#3', '#1'],
    ]);
    expect(lines.map(({ last }) => last)).to.deep.equal(['#6', '#3']);
  });

  it('interrupts a line where nothing was checked, also within a period of equal answers', () => {
    const at = (day: number) => new Date(day * dayMs);
    const drawRows = (rows: LineChartInput['rows']) => {
      const gaps = [{ from: at(2), until: at(9), firstMissed: at(3), lastMissed: at(8) }];
      const { charts, table } = createLineChart({
        title: '',
        scale: 'rank',
        lines: [{ label: 'a' }],
        rows,
        gaps,
      });
      expect(charts[0]?.ways[0]?.line.match(/M/g)).to.have.length(2);
      // The script shows the values of the row next to the pointer, with its time.
      for (const { cells, at: times } of table.rows)
        if (cells[0] === 'not checked') for (const time of times) expect(time).to.be.within(at(3), at(8));
      return table.rows.map(({ cells }) => cells[0]).reverse();
    };
    const runs = [1, 2, 9, 10].map((day) => ({ at: [at(day)], values: [day] }));
    expect(drawRows(runs)).to.deep.equal(['#1', '#2', 'not checked', '#9', '#10']);
    expect(drawRows([{ at: [at(1), at(10)], values: [4] }])).to.deep.equal(['#4', 'not checked', '#4']);
    const periods = [
      { at: [at(1), at(2)], values: [4] },
      { at: [at(9), at(10)], values: [5] },
    ];
    expect(drawRows(periods)).to.deep.equal(['#4', 'not checked', '#5']);
  });

  it('writes the numbers of marks side by side', () => {
    const rows = [0, 90].map((day) => ({ at: [new Date(day * dayMs)], values: [1] }));
    const marks = [20, 40, 41].map((day) => ({ at: new Date(day * dayMs), words: '' }));
    const { charts } = createLineChart({ title: '', scale: 'rank', lines: [{ label: 'a' }], rows, marks });
    for (const { marks: drawn } of charts) {
      const [first, second, third] = drawn.map(({ x, labelX }) => ({ x, labelX }));
      expect([first?.labelX, second?.labelX]).to.deep.equal([first?.x, second?.x]);
      expect((third?.labelX ?? 0) - (second?.labelX ?? 0)).to.be.at.least(16);
    }
  });

  it('tells eleven lines apart without colors', () => {
    const { lines } = draw('rank', ...Array.from({ length: 11 }, () => [1, 2]));
    const dashes = lines.map(({ className, marker }) => {
      const number = Number(className.split('-')[1]);
      return `${number === 0 ? 'solid' : number < 7 ? 'dashed' : 'dotted'} ${marker}`;
    });
    expect(new Set(dashes).size).to.equal(11);
  });
});

describe('the charts of a page', () => {
  const service = useService();
  let path = '';
  const account = useAccount(service, 0);

  before(async () => {
    const competitors = Array.from({ length: 10 }, (_, number) => `rival-${number}.example`);
    const query = { ...rankQuery(), full: true as const, competitor_urls: competitors };
    const ranks = await monitored(service, account.accountId, 'keyword', [query], { confirmLosses: false });
    for (const [day, rank] of [8, 5, null, 4].entries()) {
      const others = competitors.map((url, number) => ({ url, rank: number + 10 - day }) as never);
      await ranks.run(new Date(Date.now() - (4 - day) * dayMs), [rankAnswer(rank, { competitors: others })]);
    }
    path = `/monitors/${ranks.monitorId}/subjects/${ranks.subjects[0]?.subjectId}`;
  });

  it('are drawn from their tables, and read with the keyboard, the mouse and a finger', async function () {
    const { page, complaints } = await openAs(this, service, account, { hasTouch: true });
    await page.goto(path);
    const figure = page.locator('figure.plot');
    const slider = figure.getByRole('slider');
    await slider.waitFor();
    expect(await figure.locator('svg.wide-chart').isVisible()).to.equal(false);
    const own = figure.locator('.legend li').first().locator('strong');
    expect(await own.textContent()).to.equal('#4');
    const texts: Array<string | null> = [];
    await slider.press('Home');
    for (let row = 0; row < 4; row++) {
      texts.push(await slider.getAttribute('aria-valuetext'));
      await slider.press('ArrowRight');
    }
    expect(texts.map((text) => /example\.com (\S+( \S+)?);/.exec(text ?? '')?.[1])).to.deep.equal([
      '#8',
      '#5',
      'not ranked',
      '#4',
    ]);
    expect(texts[0]).to.match(/^\d+ \p{L}+ 20\d\d, .*rival-9\.example #19$/u);
    const box = await slider.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 100);
    expect(await own.textContent()).to.equal('#8');
    await page.touchscreen.tap((box?.x ?? 0) + (box?.width ?? 0) - 10, (box?.y ?? 0) + 100);
    await page.waitForFunction("document.querySelector('.legend strong').textContent === '#4'");
    expect(complaints).to.deep.equal([]);
  });

  it('hide lines by their legend, and fit the axis to the others', async function () {
    const { page } = await openAs(this, service, account);
    await page.goto(path);
    const button = page.getByRole('button', { name: 'rival-9.example' });
    const draw = "document.querySelector('figure.plot canvas').toDataURL()";
    const before = await page.evaluate(draw);
    await button.press('Space');
    expect(await button.getAttribute('aria-pressed')).to.equal('false');
    await page.waitForFunction(`${draw} !== ${JSON.stringify(before)}`);
    const slider = page.getByRole('slider');
    expect(await slider.getAttribute('aria-valuetext')).not.to.contain('rival-9.example');
    await button.click();
    await page.waitForFunction(`${draw} === ${JSON.stringify(before)}`);
  });

  it('emphasize a line under the mouse, but none that is read with the keyboard or a finger', async function () {
    const { page } = await openAs(this, service, account, { hasTouch: true });
    await page.goto(path);
    const draw = "document.querySelector('figure.plot canvas').toDataURL()";
    const all = await page.evaluate(draw);
    // Without the own line, the best competitor is at the top of the chart.
    await page.getByRole('button', { name: 'example.com', exact: false }).first().click();
    await page.waitForFunction(`${draw} !== ${JSON.stringify(all)}`);
    const drawn = () =>
      page.evaluate<string>(`new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(${draw}))))`);
    const slider = page.getByRole('slider');
    const plain = await drawn();
    await slider.press('End');
    expect((await drawn()) === plain, 'keyboard').to.equal(true);
    const { x, y, width, height } = (await slider.locator('.u-over').boundingBox()) ?? expect.fail();
    const top = y + 2;
    await page.touchscreen.tap(x + width - 5, top);
    expect((await drawn()) === plain, 'finger').to.equal(true);
    await page.mouse.move(x + width / 2, y + height - 5);
    await page.mouse.move(x + width - 5, top);
    await page.waitForFunction(`${draw} !== ${JSON.stringify(plain)}`);
    await slider.press('ArrowLeft');
    await page.waitForFunction(`${draw} === ${JSON.stringify(plain)}`);
  });

  it('are accessible, light and dark, and are printed as SVG', async function () {
    const { context, page } = await openAs(this, service, account);
    await bringAxe(context);
    const colours = new ColourJudge();
    await page.goto(path);
    await page.getByRole('slider').first().waitFor();
    expect(await faultsOf(page)).to.deep.equal([]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await colours.faultsOf(page), colorScheme).to.deep.equal([]);
      // Graphics need a contrast of 3:1 (WCAG 2.2, 1.4.11), which axe does not check.
      expect(await page.evaluate<number>(lowestContrast)).to.be.at.least(3);
    }
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.locator('figure.plot > svg.wide-chart').isVisible()).to.equal(true);
    expect(await page.locator('figure.plot .canvas').isVisible()).to.equal(false);
  });

  it('are SVG with a legend and a table without scripts', async function () {
    const { page } = await openAs(this, service, account, { javaScriptEnabled: false });
    await page.goto(path);
    expect(await page.locator('figure.plot > svg.wide-chart').isVisible()).to.equal(true);
    expect(await page.locator('.plot .legend li').count()).to.equal(11);
    await page.getByText('As a table').click();
    expect(await page.locator('table.values tbody tr').count()).to.equal(4);
  });
});

/** Returns the lowest contrast of a line in a legend with the card behind it. */
const lowestContrast = `(() => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const card = luminance(getComputedStyle(document.querySelector('.card')).backgroundColor);
  const lines = [...document.querySelectorAll('.key .way')].map((way) => luminance(getComputedStyle(way).stroke));
  return Math.min(...lines.map((line) => (Math.max(line, card) + 0.05) / (Math.min(line, card) + 0.05)));
})()`;
