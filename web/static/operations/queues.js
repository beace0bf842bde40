/** The number of tasks in each queue, and of messages that have no vector yet. */

import { el } from '../js/page/element.js';
import { formatNumber, t } from '../js/text/texts.js';
import { createSection, createTable } from './section.js';

export function createQueues() {
  const table = createTable('queues', ['queue', 'queued']);
  const waiting = el('p', { id: 'unembedded' });
  return {
    element: createSection('queues', table.element, waiting),
    show({ queues, unembedded, unembedded_passages: passages }) {
      table.show(Object.entries(queues ?? {}).map(([name, length]) => [name, formatNumber(length)]));
      waiting.textContent = t('operations.queues.unembedded', {
        count: formatNumber(unembedded), passages: formatNumber(passages),
      });
    },
  };
}
