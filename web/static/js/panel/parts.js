/** What the sections of the panel are built from. */

import { el } from '../page/element.js';
import { readStored, store } from '../page/storage.js';
import { capitalize, sayFact } from '../text/facts.js';
import { t } from '../text/texts.js';

export function createSection(name, ...content) {
  const heading = el('h3', { id: `${name}-title` }, t(`${name}.title`));
  return el('section', { class: `section ${name}`, id: name, 'aria-labelledby': heading.id }, heading, ...content);
}

/** Details that stay as the reader has left them. */
export function createFold(name, ...content) {
  const open = readStored(`panel.${name}`) === 'open';
  // Stored before it opens or closes: what is left to the event `toggle` is lost in a reload right after.
  const onclick = () => store(`panel.${name}`, fold.open ? '' : 'open');
  const fold = el('details', { id: name, class: 'fold', open }, el('summary', { onclick }, t(`${name}.title`)), ...content);
  return fold;
}

/** `label` is the key of a text. */
export function createButton(label, onclick) {
  return el('button', { type: 'button', class: 'action', onclick }, t(label));
}

/** Nodes: a fact as a sentence of its own, with its value as an element. */
export function drawFact(fact) {
  const { before, value, after } = sayFact(fact);
  return [capitalize(before), el('bdi', { class: 'fact-value', dir: 'auto' }, value), after];
}
