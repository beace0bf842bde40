/** A line chart in the page's colours. What it draws stands in a table beside it, too. */

import uPlot from '../vendor/uplot.js';
import { el } from '../js/element.js';
import { formatNumber } from '../js/texts.js';
import { shortTime } from '../js/times.js';

const HEIGHT_PX = 220;
const SECOND_MS = 1000;
const COLOURS = ['--thread', '--gap', '--fault', '--soft'];
const dark = matchMedia('(prefers-color-scheme: dark)');

/**
 * show(positions, [from, to], lines {label, values}) draws anew; of time both are in seconds.
 * `isBand` fills between the first two lines.
 */
export function createChart(title, { isTime = false, isBand = false } = {}) {
  const place = el('div', { class: 'chart', role: 'img', 'aria-label': title });
  const element = el('figure', {}, el('figcaption', {}, title), place);
  let plot = null;
  let last = null;
  const draw = () => {
    plot?.destroy();
    plot = new uPlot(options(last, { width: place.clientWidth, isTime, isBand }), dataOf(last), place);
  };
  dark.addEventListener('change', () => last && draw());
  new ResizeObserver(() => plot?.setSize({ width: place.clientWidth, height: HEIGHT_PX })).observe(place);
  return {
    element,
    show(positions, range, lines) {
      last = { positions, range, lines };
      element.hidden = !positions.length;
      if (positions.length) draw();
    },
  };
}

function dataOf({ positions, lines }) {
  return [positions, ...lines.map(({ values }) => values)];
}

function options({ range, lines }, { width, isTime, isBand }) {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const font = `12px ${style.getPropertyValue('--sans')}`;
  const line = { stroke: colour('--edge'), width: 1 };
  const axis = { font, stroke: colour('--soft'), grid: line, ticks: line };
  const instants = { ...axis, values: (_, ticks) => ticks.map((tick) => shortTime(tick * SECOND_MS)) };
  const whole = { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] };
  return {
    width,
    height: HEIGHT_PX,
    cursor: { show: false },
    legend: { live: false },
    scales: { x: { time: isTime, range }, y: { range: (_, __, most) => [0, Math.max(most ?? 0, 1)] } },
    axes: [isTime ? instants : whole, { ...axis, values: (_, ticks) => ticks.map(formatNumber) }],
    bands: isBand ? [{ series: [1, 2], fill: colour('--thread-tint') }] : [],
    series: [{}, ...lines.map(({ label }, place) => ({ label, stroke: colour(COLOURS[place % COLOURS.length]), width: 2 }))],
  };
}
