/** How many tasks wait in each queue, and how many messages for their vectors. */

import { el } from '../js/element.js';
import { formatNumber, t } from '../js/texts.js';
import { createSection, createTable } from './section.js';

export function createQueues() {
  const table = createTable('queues', ['queue', 'queued']);
  const unembedded = el('p', { id: 'unembedded' });
  return {
    element: createSection('queues', table.element, unembedded),
    show({ queues, unembedded: count }) {
      table.show(Object.entries(queues ?? {}).map(([name, length]) => [name, formatNumber(length)]));
      unembedded.textContent = t('operations.queues.unembedded', { count: formatNumber(count) });
    },
  };
}
