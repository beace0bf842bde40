/** What the sections of the panel are built from. */

import { el } from '../page/element.js';
import { t } from '../text/texts.js';

export function createSection(name, ...content) {
  const heading = el('h3', { id: `${name}-title` }, t(`${name}.title`));
  return el('section', { class: `section ${name}`, id: name, 'aria-labelledby': heading.id }, heading, ...content);
}

/** `label` is the key of a text. */
export function createButton(label, onclick) {
  return el('button', { type: 'button', class: 'action', onclick }, t(label));
}

/** A fact's key as words. */
export function formatKey(key) {
  return key.replaceAll('_', ' ');
}
