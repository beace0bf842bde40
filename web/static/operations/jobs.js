/** The number of jobs by kind and state. */

import { formatNumber, nameJobKind } from '../js/text/texts.js';
import { createSection, createTable } from './section.js';

const STATES = ['queued', 'running', 'completed', 'failed'];

export function createJobs() {
  const table = createTable('jobs', ['kind', ...STATES]);
  return {
    element: createSection('jobs', table.element),
    show({ states: counts }) {
      const kinds = [...new Set(counts.map(({ kind }) => kind))];
      table.show(kinds.map((kind) => drawKind(kind, counts)));
    },
  };
}

function drawKind(kind, counts) {
  return [nameJobKind(kind), ...STATES.map((state) => formatCount(counts, kind, state))];
}

function formatCount(counts, kind, state) {
  const match = counts.find((count) => count.kind === kind && count.state === state);
  return formatNumber(match?.count ?? 0);
}
