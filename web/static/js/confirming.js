/** A question before what cannot be undone. */

import { byId } from './element.js';

/** Resolves to whether the reader said yes; Escape says no. */
export function confirmed({ title, text, verb }) {
  const dialog = byId('confirm');
  byId('confirm-title').textContent = title;
  byId('confirm-text').textContent = text;
  byId('confirm-yes').textContent = verb;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
