/** The frame that every section of the memory panel stands in. */

import { el } from '../element.js';
import { t } from '../texts.js';

export function createSection(name, ...content) {
  const heading = el('h3', { id: `${name}-title` }, t(`${name}.title`));
  return el('section', { class: `section ${name}`, id: name, 'aria-labelledby': heading.id }, heading, ...content);
}
