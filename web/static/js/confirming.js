/** A question before what cannot be undone. */

import { byId } from './element.js';

/** Resolves to whether the reader said yes; Escape says no. `more` are nodes below the text. */
export function confirmed({ title, text, verb, more = [] }) {
  const dialog = byId('confirm');
  byId('confirm-title').textContent = title;
  byId('confirm-text').textContent = text;
  byId('confirm-more').replaceChildren(...more);
  byId('confirm-yes').textContent = verb;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
