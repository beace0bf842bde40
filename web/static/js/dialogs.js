/** Dialogs over the page: opened by a button, closed by their own, by Escape, or a click beside. */

import { byId } from './element.js';

export function prepareDialog(id, onOpen) {
  const dialog = byId(id);
  const open = () => {
    onOpen?.();
    dialog.showModal();
  };
  document.querySelector(`[data-opens-dialog="${id}"]`).addEventListener('click', open);
  dialog.querySelector('[data-closes-dialog]').addEventListener('click', () => dialog.close());
  // The dialog's own box fills it, so a click on the dialog itself is one on the backdrop.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  return dialog;
}

export function isDialogOpen() {
  return document.querySelector('dialog[open]') !== null;
}
