/** The workers that have answered, and the number of tasks that each is running. */

import { formatNumber } from '../js/text/texts.js';
import { createSection, createTable } from './section.js';

export function createWorkers() {
  const table = createTable('workers', ['worker', 'running']);
  return {
    element: createSection('workers', table.element),
    show({ workers }) {
      table.show((workers ?? []).map(({ name, running }) => [name, formatNumber(running)]));
    },
  };
}
