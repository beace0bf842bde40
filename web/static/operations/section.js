/** A section of the operations page, and the table in it. */

import { el } from '../js/page/element.js';
import { t } from '../js/text/texts.js';

export function createSection(name, ...content) {
  const heading = el('h2', { id: `${name}-title` }, t(`operations.${name}`));
  const about = el('p', { class: 'about' }, t(`operations.${name}.about`));
  return el('section', { id: name, 'aria-labelledby': heading.id }, heading, about, ...content);
}

/** `columns` are keys of texts. `show(rows)` takes rows of cells; without rows it says so. */
export function createTable(name, columns) {
  const body = el('tbody');
  const none = el('p', { class: 'none' }, t(`operations.${name}.none`));
  const heads = columns.map((column) => el('th', { scope: 'col' }, t(`operations.column.${column}`)));
  const table = el('table', {}, el('thead', {}, el('tr', {}, ...heads)), body);
  const label = { role: 'region', 'aria-labelledby': `${name}-title` };
  const scroller = el('div', { class: 'wide', tabindex: '0', ...label }, table);
  return {
    element: el('div', {}, none, scroller),
    show(rows) {
      none.hidden = rows.length > 0;
      scroller.hidden = !rows.length;
      body.replaceChildren(...rows.map(drawRow));
    },
  };
}

function drawRow([first, ...rest]) {
  return el('tr', {}, el('th', { scope: 'row' }, first), ...rest.map((cell) => el('td', {}, cell)));
}
