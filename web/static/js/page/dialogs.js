/** Dialogs over the page. A button, Escape or a click on the backdrop closes them. */

import { byId } from './element.js';

/** Connects a dialog with the buttons that open and close it. Returns the dialog. */
export function prepareDialog(id, onOpen) {
  const dialog = byId(id);
  const open = () => {
    onOpen?.();
    dialog.showModal();
  };
  document.querySelector(`[data-opens-dialog="${id}"]`).addEventListener('click', open);
  dialog.querySelector('[data-closes-dialog]').addEventListener('click', () => dialog.close());
  closeByBackdrop(dialog);
  return dialog;
}

/**
 * The content fills the dialog, so only a click on the backdrop has the dialog as its target. One that
 * began inside, such as by selecting text, closes nothing.
 */
export function closeByBackdrop(dialog) {
  let isBegunThere = false;
  dialog.addEventListener('pointerdown', ({ target }) => {
    isBegunThere = target === dialog;
  });
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog && isBegunThere) dialog.close();
  });
}

export function isDialogOpen() {
  return document.querySelector('dialog[open]') !== null;
}

/**
 * Asks the reader before something that cannot be undone. Resolves to whether the reader agreed.
 * `details` are nodes below the text.
 */
export function confirmAction({ title, text, verb, details = [] }) {
  const dialog = byId('confirm');
  byId('confirm-title').textContent = title;
  byId('confirm-text').textContent = text;
  byId('confirm-more').replaceChildren(...details);
  byId('confirm-yes').textContent = verb;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
