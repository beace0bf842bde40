/** The number of tasks in each queue, and of messages that have no vector yet. */

import { el } from '../js/page/element.js';
import { formatNumber, t } from '../js/text/texts.js';
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
