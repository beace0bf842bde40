/** How many tasks wait in each queue. */

import { formatNumber } from '../js/texts.js';
import { createSection, createTable } from './section.js';

export function createQueues() {
  const table = createTable('queues', ['queue', 'queued']);
  return {
    element: createSection('queues', table.element),
    show({ queues }) {
      table.show(Object.entries(queues ?? {}).map(([name, length]) => [name, formatNumber(length)]));
    },
  };
}
