/** How users have rated the replies of each model. */

import { formatNumber } from '../js/text/texts.js';
import { createSection, createTable } from './section.js';

export function createRatings() {
  const table = createTable('ratings', ['model', 'up', 'down']);
  return {
    element: createSection('ratings', table.element),
    show({ ratings }) {
      table.show(ratings.map(({ model, up, down }) => [model ?? '–', formatNumber(up), formatNumber(down)]));
    },
  };
}
