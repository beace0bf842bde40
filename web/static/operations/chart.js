/** A line chart in the page's colours. A table beside it has the same numbers for screen readers. */

import { el } from '../js/page/element.js';
import { formatNumber } from '../js/text/texts.js';
import { formatClock, formatDuration } from '../js/text/times.js';
import uPlot from '../vendor/uplot.js';

const HEIGHT_PX = 220;
const SECOND_MS = 1000;
const LEAST_S = .01; // the lowest top of a chart of seconds
const HEADROOM = 1.1;
const TIME_SPACE_PX = 64; // between two times on the axis
const DURATION_SIZE_PX = 62; // of the axis beside durations
const COLOURS = ['--thread', '--gap', '--fault', '--soft'];
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000];
const darkScheme = matchMedia('(prefers-color-scheme: dark)');

/**
 * `show(positions, [from, to], lines)` draws lines {label, values}. With `isTime` the positions are
 * seconds since 1970. `isBand` fills the area between the first two lines. `isSeconds`: the values
 * are seconds; else they are whole numbers.
 */
export function createChart(title, { isTime = false, isBand = false, isSeconds = false } = {}) {
  const frame = el('div', { class: 'chart', role: 'img', 'aria-label': title });
  const element = el('figure', {}, el('figcaption', {}, title), frame);
  let plot = null;
  let shown = null; // the last arguments of `show`, to draw them again in other colours
  const draw = () => {
    plot?.destroy();
    const data = [shown.positions, ...shown.lines.map(({ values }) => values)];
    plot = new uPlot(chartOptions(shown, { width: frame.clientWidth, isTime, isBand, isSeconds }), data, frame);
  };
  const drawAgain = () => shown?.positions.length && draw();
  darkScheme.addEventListener('change', drawAgain);
  document.addEventListener('look', drawAgain);
  new ResizeObserver(() => plot?.setSize({ width: frame.clientWidth, height: HEIGHT_PX })).observe(frame);
  return {
    element,
    show(positions, range, lines) {
      shown = { positions, range, lines };
      element.hidden = !positions.length;
      if (positions.length) draw();
    },
  };
}

function chartOptions({ range, lines }, { width, isTime, isBand, isSeconds }) {
  return {
    width,
    height: HEIGHT_PX,
    cursor: { show: false },
    legend: { live: false },
    scales: { x: { time: isTime, range }, y: { range: (_plot, _least, most) => yRange(most, isSeconds) } },
    axes: chartAxes({ isTime, isSeconds }),
    bands: isBand ? [{ series: [1, 2], fill: colourOf('--thread-tint') }] : [],
    series: [{}, ...lines.map(({ label }, index) => (
      { label, stroke: colourOf(COLOURS[index % COLOURS.length]), width: 2 }))],
  };
}

// A little room above the highest point. Milliseconds fill the chart, too.
function yRange(most, isSeconds) {
  const least = isSeconds ? LEAST_S : 1;
  return [0, Math.max((most ?? 0) * HEADROOM, least)];
}

function chartAxes({ isTime, isSeconds }) {
  const line = { stroke: colourOf('--edge'), width: 1 };
  const axis = { font: `12px ${getComputedStyle(document.body).fontFamily}`, stroke: colourOf('--soft'), grid: line, ticks: line };
  const time = {
    ...axis, space: TIME_SPACE_PX, values: (_plot, ticks) => ticks.map((tick) => formatClock(tick * SECOND_MS)),
  };
  const whole = { ...axis, incrs: WHOLE_STEPS, values: (_plot, ticks) => ticks.map((tick) => formatNumber(tick)) };
  const seconds = {
    ...axis, size: DURATION_SIZE_PX, values: (_plot, ticks) => ticks.map((tick) => (tick ? formatDuration(tick * SECOND_MS) : '0')),
  };
  return [isTime ? time : whole, isSeconds ? seconds : whole];
}

// A canvas takes neither variables nor `light-dark()`.
function colourOf(name) {
  const probe = el('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
