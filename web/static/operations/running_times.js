/** How long jobs ran: a table by kind, and two charts by hour. */

import { formatNumber, nameJobKind, t } from '../js/text/texts.js';
import { formatDuration } from '../js/text/times.js';
import { createChart } from './chart.js';
import { createSection, createTable } from './section.js';

const SECOND_MS = 1000;

export function createRunningTimes() {
  const table = createTable('times', ['kind', 'count', 'average', 'longest']);
  const average = createChart(t('operations.times.average'), { isTime: true, isSeconds: true });
  const longest = createChart(t('operations.times.longest'), { isTime: true, isSeconds: true });
  return {
    element: createSection('times', table.element, average.element, longest.element),
    show({ running_times: steps, within_s: withinS }) {
      const nowS = Date.now() / SECOND_MS;
      const [instants, averages] = chartLines(steps, 'average_ms');
      const [, longests] = chartLines(steps, 'longest_ms');
      table.show([...groupByKind(steps)].map(drawKind));
      average.show(instants, [nowS - withinS, nowS], averages);
      longest.show(instants, [nowS - withinS, nowS], longests);
    },
  };
}

/**
 * [instants, lines {label, values}], all in seconds. `measure` is a column of the API's steps. An
 * hour without a job has the value null.
 */
export function chartLines(steps, measure) {
  const instants = [...new Set(steps.map(({ since }) => since))].sort();
  const lines = [...groupByKind(steps)].map(([kind, members]) => {
    const byInstant = new Map(members.map((step) => [step.since, step[measure] / SECOND_MS]));
    const values = instants.map((since) => byInstant.get(since) ?? null);
    return { label: nameJobKind(kind), values };
  });
  return [instants.map((since) => Date.parse(since) / SECOND_MS), lines];
}

/** Map from kind to its steps {kind, since, count, average_ms, longest_ms}, in their order. */
function groupByKind(steps) {
  const groups = new Map();
  for (const step of steps) groups.set(step.kind, [...(groups.get(step.kind) ?? []), step]);
  return groups;
}

function drawKind([kind, steps]) {
  const count = steps.reduce((sum, step) => sum + step.count, 0);
  const totalMs = steps.reduce((sum, step) => sum + step.count * step.average_ms, 0);
  const longestMs = Math.max(...steps.map((step) => step.longest_ms));
  return [nameJobKind(kind), formatNumber(count), formatDuration(totalMs / count), formatDuration(longestMs)];
}
