/** How long jobs ran: by kind as a table, and hour by hour as two charts. */

import { formatNumber, t } from '../js/texts.js';
import { duration } from '../js/times.js';
import { createChart } from './chart.js';
import { createSection, createTable } from './section.js';

const SECOND_MS = 1000;

export function createTimes() {
  const table = createTable('times', ['kind', 'count', 'average', 'longest']);
  const average = createChart(t('operations.times.average'), { isTime: true });
  const longest = createChart(t('operations.times.longest'), { isTime: true });
  return {
    element: createSection('times', table.element, average.element, longest.element),
    show({ running_times: steps, within_s: within }) {
      const now = Date.now() / SECOND_MS;
      const [instants, averages] = asLines(steps, 'average_ms');
      const [, longests] = asLines(steps, 'longest_ms');
      table.show([...byKind(steps)].map(drawKind));
      average.show(instants, [now - within, now], averages);
      longest.show(instants, [now - within, now], longests);
    },
  };
}

/** Map from kind to its {kind, since, count, average_ms, longest_ms}, oldest first. */
export function byKind(steps) {
  const groups = new Map();
  for (const step of steps) groups.set(step.kind, [...(groups.get(step.kind) ?? []), step]);
  return groups;
}

function drawKind([kind, steps]) {
  const count = steps.reduce((sum, step) => sum + step.count, 0);
  const total = steps.reduce((sum, step) => sum + step.count * step.average_ms, 0);
  const longest = Math.max(...steps.map((step) => step.longest_ms));
  return [t(`jobs.kind.${kind}`), formatNumber(count), duration(total / count), duration(longest)];
}

/** [instants in seconds, lines {label, values in seconds}]; an hour without a job is a gap. */
export function asLines(steps, measure) {
  const instants = [...new Set(steps.map(({ since }) => since))].sort();
  const lines = [...byKind(steps)].map(([kind, own]) => ({
    label: t(`jobs.kind.${kind}`),
    values: instants.map((since) => {
      const step = own.find((one) => one.since === since);
      return step ? step[measure] / SECOND_MS : null;
    }),
  }));
  return [instants.map((since) => Date.parse(since) / SECOND_MS), lines];
}
