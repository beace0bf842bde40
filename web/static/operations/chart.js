/** A line chart in the page's colours. A table beside it has the same numbers for screen readers. */

import { el } from '../js/page/element.js';
import { formatNumber } from '../js/text/texts.js';
import { formatClock } from '../js/text/times.js';
import uPlot from '../vendor/uplot.js';

const HEIGHT_PX = 220;
const SECOND_MS = 1000;
const COLOURS = ['--thread', '--gap', '--fault', '--soft'];
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const darkScheme = matchMedia('(prefers-color-scheme: dark)');

/**
 * `show(positions, [from, to], lines)` draws lines {label, values}. With `isTime` the positions are
 * seconds since 1970. `isBand` fills the area between the first two lines.
 */
export function createChart(title, { isTime = false, isBand = false } = {}) {
  const frame = el('div', { class: 'chart', role: 'img', 'aria-label': title });
  const element = el('figure', {}, el('figcaption', {}, title), frame);
  let plot = null;
  let shown = null; // the last arguments of `show`, to draw them again in other colours
  const draw = () => {
    plot?.destroy();
    const data = [shown.positions, ...shown.lines.map(({ values }) => values)];
    plot = new uPlot(chartOptions(shown, { width: frame.clientWidth, isTime, isBand }), data, frame);
  };
  darkScheme.addEventListener('change', () => shown && draw());
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

function chartOptions({ range, lines }, { width, isTime, isBand }) {
  return {
    width,
    height: HEIGHT_PX,
    cursor: { show: false },
    legend: { live: false },
    scales: { x: { time: isTime, range }, y: { range: (_plot, _least, most) => [0, Math.max(most ?? 0, 1)] } },
    axes: chartAxes(isTime),
    bands: isBand ? [{ series: [1, 2], fill: styleValue('--thread-tint') }] : [],
    series: [{}, ...lines.map(({ label }, index) => (
      { label, stroke: styleValue(COLOURS[index % COLOURS.length]), width: 2 }))],
  };
}

function chartAxes(isTime) {
  const line = { stroke: styleValue('--edge'), width: 1 };
  const axis = { font: `12px ${styleValue('--sans')}`, stroke: styleValue('--soft'), grid: line, ticks: line };
  const time = { ...axis, values: (_plot, ticks) => ticks.map((tick) => formatClock(tick * SECOND_MS)) };
  const whole = { ...axis, incrs: WHOLE_STEPS };
  const number = { ...axis, values: (_plot, ticks) => ticks.map(formatNumber) };
  return [isTime ? time : whole, number];
}

function styleValue(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
