// Draws each chart of a page from its table, interactively. Without this script the page shows the charts as SVG. uPlot
// draws on a canvas. Colors, dashes and shapes therefore come from the legend, which the style sheet colors.

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' });
const hourFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const daySeconds = 86_400;

const rankSteps = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100];
const rootSteps = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 1];

const plots = [];
for (const figure of document.querySelectorAll('figure.plot')) {
  const plot = createPlot(figure);
  if (plot) plots.push(plot);
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const plot of plots) plot.redraw();
});

function createPlot(figure) {
  const items = [...figure.querySelectorAll('.legend > li')];
  const rows = readRows(figure.querySelector('table.values'), items.length);
  if (rows.length < 2) return null;
  const marks = [...figure.querySelectorAll('.marks time')].map((time) => Date.parse(time.dateTime) / 1000);
  const isRank = figure.dataset.scale === 'rank';
  const title = figure.querySelector('figcaption > *').textContent;
  const readout = figure.querySelector('output');

  const frame = document.createElement('div');
  frame.className = 'canvas';
  frame.tabIndex = 0;
  frame.role = 'slider';
  frame.ariaLabel = `${title}: move with the arrow keys to read the values`;
  frame.ariaValueMin = '0';
  frame.ariaValueMax = String(rows.length - 1);
  figure.querySelector('.legend').before(frame);

  const lines = items.map((item, place) =>
    createLegendEntry(item, items.length > 1, (isShown) => {
      plot.setSeries(place + 1, { show: isShown });
      show(selected);
    }),
  );

  /** Shows the values of a row in the legend, and announces them to screen readers. */
  function show(place) {
    selected = place;
    const { moment, texts } = rows[place];
    readout.textContent = moment;
    for (const [number, line] of lines.entries()) line.value.textContent = texts[number];
    const values = lines.flatMap((line, number) =>
      plot.series[number + 1].show && texts[number] ? `${line.label} ${texts[number]}` : [],
    );
    frame.ariaValueNow = String(place);
    frame.ariaValueText = `${moment}: ${values.join('; ')}`;
  }

  let selected = rows.length - 1;
  let isMouse = false;
  for (const name of ['pointerdown', 'pointermove']) {
    frame.addEventListener(name, ({ pointerType }) => {
      isMouse = pointerType === 'mouse';
    });
  }
  const plot = new uPlot(
    {
      ...sizeOf(frame),
      legend: { show: false },
      focus: { alpha: 0.25 },
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        focus: { prox: lines.length > 1 ? 12 : -1 },
        // Only a mouse points at a line. For touch and keys, the cursor is far above all lines, so that no line is
        // emphasized.
        move: (_plot, left, top) => [left, isMouse ? top : -100],
        points: { size: 9 },
      },
      scales: { x: { time: true }, y: createScale(figure.dataset.scale) },
      series: [{}, ...lines.map((line) => ({ stroke: () => line.style().stroke, points: { show: false } }))],
      axes: [
        { ...axis(frame), size: 30, values: (_plot, ticks) => formatTimes(ticks, rows) },
        {
          ...axis(frame),
          size: 48,
          values: (_plot, ticks) => ticks.map((tick) => (isRank ? `#${tick}` : `${round(tick * 100)}%`)),
          splits: createSplits(figure.dataset.scale),
          // Labels every value. By default, uPlot labels only some values of a logarithmic scale.
          filter: (_plot, ticks) => ticks,
        },
      ],
      hooks: {
        setCursor: [({ cursor }) => show(cursor.idx ?? rows.length - 1)],
        drawClear: [(self) => setDashes(self, lines)],
        draw: [(self) => drawMarkers(self, lines, rows, isRank), (self) => drawMarks(self, marks, frame)],
      },
    },
    [rows.map(({ at }) => at), ...lines.map((_, number) => rows.map(({ values }) => values[number]))],
    frame,
  );
  show(selected);

  /** Moves the cursor to a row. */
  const moveTo = (place) => {
    const next = Math.min(rows.length - 1, Math.max(0, place));
    plot.setCursor({ left: plot.valToPos(rows[next].at, 'x'), top: 0 });
    show(next);
  };
  frame.addEventListener('keydown', (event) => {
    const next = {
      ArrowLeft: selected - 1,
      ArrowDown: selected - 1,
      ArrowRight: selected + 1,
      ArrowUp: selected + 1,
      PageDown: selected - 10,
      PageUp: selected + 10,
      Home: 0,
      End: rows.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    isMouse = false;
    moveTo(next);
  });
  frame.addEventListener('focus', () => moveTo(selected));
  frame.addEventListener('blur', () => plot.setCursor({ left: -10, top: -10 }));
  for (const name of ['touchstart', 'touchmove']) {
    plot.over.addEventListener(
      name,
      ({ touches: [touch] }) => moveTo(plot.posToIdx(touch.clientX - plot.over.getBoundingClientRect().left)),
      { passive: true },
    );
  }
  new ResizeObserver(() => plot.setSize(sizeOf(frame))).observe(frame);
  figure.classList.add('drawn');
  return plot;
}

/** Reads the table, oldest row first. If a row has two times, its values apply to both. */
function readRows(table, lines) {
  const rows = [];
  for (const row of [...table.tBodies[0].rows].reverse()) {
    if (row.hasAttribute('data-unconfirmed')) continue;
    const times = [...row.querySelectorAll('time')];
    const texts = [...row.cells].slice(times.length, times.length + lines).map((cell) => cell.textContent);
    for (const time of times) {
      const at = Date.parse(time.dateTime) / 1000;
      if (at <= (rows.at(-1)?.at ?? 0)) continue;
      rows.push({ at, moment: time.textContent, texts, values: texts.map(toValue) });
    }
  }
  return rows;
}

/** Returns null for a text such as `not ranked`, which interrupts a line. Returns undefined for an empty text. */
function toValue(text) {
  if (text === '') return undefined;
  const value = Number.parseFloat(text.replace('#', ''));
  if (Number.isNaN(value)) return null;
  return text.endsWith('%') ? value / 100 : value;
}

/** Turns an entry of the legend into a button that hides its line. A single line needs no button. */
function createLegendEntry(item, isButton, toggle) {
  const [key, name, value] = item.children;
  const [way, marker] = key.children;
  const line = {
    label: name.textContent,
    value,
    shape: marker.getAttribute('d').replace(/^M14 6/, ''),
    style: () => getComputedStyle(way),
  };
  if (isButton) {
    const button = document.createElement('button');
    button.type = 'button';
    button.ariaPressed = 'true';
    button.append(key, name, value);
    item.append(button);
    button.addEventListener('click', () => {
      const isShown = button.ariaPressed !== 'true';
      button.ariaPressed = String(isShown);
      toggle(isShown);
    });
  }
  return line;
}

function sizeOf(frame) {
  return { width: frame.clientWidth, height: frame.clientWidth < 500 ? 220 : 280 };
}

function axis(frame) {
  const color = (name) => () => getComputedStyle(frame).getPropertyValue(name);
  const line = { stroke: color('--pico-muted-border-color'), width: 1 };
  const font = '12px system-ui, sans-serif';
  return { stroke: color('--pico-muted-color'), grid: line, ticks: { ...line, size: 4 }, font, gap: 4 };
}

/** Fits the axis to the lines that are shown. */
function createScale(name) {
  if (name === 'rank') {
    const range = (_plot, best, worst) => {
      const first = rankSteps.findLast((step) => step <= best) ?? 1;
      return [first, rankSteps.find((step) => step >= worst && step > first) ?? Math.max(worst, first + 1)];
    };
    return { distr: 3, dir: -1, range };
  }
  if (name === 'root') {
    const range = (_plot, _lowest, highest) => [0, rootSteps.find((step) => step >= highest) ?? 1];
    return { distr: 100, fwd: (share) => Math.sqrt(Math.max(0, share)), bwd: (root) => root * root, range };
  }
  const range = (_plot, lowest, highest) => {
    const [from, to] = uPlot.rangeNum(lowest ?? 0, highest || 0.01, {
      min: { pad: 0.1, soft: 0, mode: lowest < highest / 2 ? 1 : 0, hard: 0 },
      max: { pad: 0.1, soft: 1, mode: 0, hard: 1 },
    });
    return [from, to];
  };
  return { range };
}

/** Returns the grid lines of a scale that is not linear. For a linear scale, uPlot chooses the grid lines. */
function createSplits(name) {
  if (name === 'share') return undefined;
  const [steps, project] = name === 'rank' ? [rankSteps, Math.log] : [rootSteps, Math.sqrt];
  return (_plot, _axis, min, max) => {
    const apart = Math.abs(project(max) - project(min)) * 0.08;
    const inside = steps.filter((step) => step >= min && step <= max);
    const kept = [];
    for (const step of inside.reverse()) {
      if (kept.length === 0 || Math.abs(project(kept.at(-1)) - project(step)) > apart) kept.push(step);
    }
    return kept.reverse();
  };
}

function formatTimes(ticks, rows) {
  const span = rows.at(-1).at - rows[0].at;
  const format = span > 300 * daySeconds ? monthFormat : span > 2 * daySeconds ? dayFormat : hourFormat;
  const texts = ticks.map((tick) => format.format(tick * 1000));
  return texts.map((text, place) => (text === texts[place - 1] ? '' : text));
}

/** Takes dashes and widths from the style sheet. */
function setDashes(plot, lines) {
  for (const [number, line] of lines.entries()) {
    const { strokeDasharray, strokeWidth } = line.style();
    const series = plot.series[number + 1];
    series.dash =
      strokeDasharray === 'none' ? undefined : strokeDasharray.split(/[ ,]+/).map(Number.parseFloat);
    series.width = Number.parseFloat(strokeWidth);
  }
}

/**
 * Draws up to twelve markers per line, or four in a narrow chart. Also draws a marker for each value without neighbours
 * and, in a chart of ranks, for `not ranked`.
 */
function drawMarkers(plot, lines, rows, isRank) {
  const { ctx, bbox } = plot;
  const step = Math.max(1, Math.ceil(rows.length / (plot.width < 500 ? 4 : 12)));
  for (const [number, line] of lines.entries()) {
    const series = plot.series[number + 1];
    if (!series.show) continue;
    const values = plot.data[number + 1];
    ctx.save();
    ctx.globalAlpha = series.alpha ?? 1;
    ctx.setLineDash([]);
    ctx.strokeStyle = ctx.fillStyle = line.style().stroke;
    for (const [place, value] of values.entries()) {
      const isMissing = isRank && number === 0 && rows[place].texts[0] === 'not ranked';
      const isAlone = values[place - 1] == null && values[place + 1] == null;
      if (value == null ? !isMissing : !isAlone && (place + number) % step !== 0) continue;
      const x = plot.valToPos(rows[place].at, 'x', true);
      const y = isMissing ? bbox.top + bbox.height - 6 * devicePixelRatio : plot.valToPos(value, 'y', true);
      const path = new Path2D();
      const at = new DOMMatrix([devicePixelRatio, 0, 0, devicePixelRatio, x, y]);
      path.addPath(new Path2D(`M0 0${isMissing ? 'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z' : line.shape}`), at);
      ctx.lineWidth = 1.5 * devicePixelRatio;
      if (!isMissing) ctx.fill(path);
      ctx.stroke(path);
    }
    ctx.restore();
  }
}

/** Draws the numbered notes, without overlap of the numbers. */
function drawMarks(plot, marks, frame) {
  const { ctx, bbox } = plot;
  const { color } = getComputedStyle(frame);
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = 'center';
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  let end = 0;
  for (const [number, at] of marks.entries()) {
    const x = Math.min(bbox.left + bbox.width, Math.max(bbox.left, plot.valToPos(at, 'x', true)));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const labelX = Math.max(x, end);
    end = labelX + 16 * devicePixelRatio;
    ctx.fillText(String(number + 1), labelX, bbox.top - 3 * devicePixelRatio);
  }
  ctx.restore();
}

function round(value) {
  return Math.round(value * 10) / 10;
}
