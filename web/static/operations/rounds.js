/** Rounds that are open now, and the calls of memory that yield to them. */

import { formatNumber, t } from '../js/text/texts.js';
import { formatDuration } from '../js/text/times.js';
import { createSection, createTable } from './section.js';

const SECOND_MS = 1000;

export function createRounds() {
  const table = createTable('rounds', ['what', 'now']);
  return {
    element: createSection('rounds', table.element),
    show({ rounds }) {
      table.show([
        [t('operations.rounds.open'), formatNumber(rounds.open)],
        [t('operations.rounds.oldest'), rounds.oldest_s === null ? '–' : formatDuration(rounds.oldest_s * SECOND_MS)],
        [t('operations.rounds.waiting'), formatKnown(rounds.waiting)],
        [t('operations.rounds.memory_calls'), formatKnown(rounds.memory_calls)],
      ]);
    },
  };
}

// Redis knows them. While it is away nobody does.
function formatKnown(count) {
  return count === null ? '–' : formatNumber(count);
}
