/** The workers that have answered, and how much they are at. */

import { formatNumber } from '../js/texts.js';
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
