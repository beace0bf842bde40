/** How many jobs of each kind are in which state. */

import { formatNumber, t } from '../js/texts.js';
import { createSection, createTable } from './section.js';

const STATES = ['queued', 'running', 'completed', 'failed'];

export function createJobs() {
  const table = createTable('jobs', ['kind', ...STATES]);
  return {
    element: createSection('jobs', table.element),
    show({ states }) {
      const kinds = [...new Set(states.map(({ kind }) => kind))];
      table.show(kinds.map((kind) => [t(`jobs.kind.${kind}`), ...STATES.map((state) => countOf(states, kind, state))]));
    },
  };
}

function countOf(states, kind, state) {
  return formatNumber(states.find((count) => count.kind === kind && count.state === state)?.count ?? 0);
}
