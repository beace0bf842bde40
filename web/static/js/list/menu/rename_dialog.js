/** Asks for a conversation's new title. */

import { runAction } from '../../page/action.js';
import { byId, el } from '../../page/element.js';
import { t } from '../../text/texts.js';

const MAX_TITLE_CHARS = 200; // the server's limit

/**
 * A chat without a title shows how it begins, which does not become its title unless it is edited.
 *
 * `save({title})` sends the change. The dialog stays open, with the reason, when that fails.
 */
export function askTitle({ title }, save) {
  const opener = document.activeElement.id; // the list may be drawn anew under the dialog
  const field = el('input', { class: 'field-text', dir: 'auto', value: title, maxlength: `${MAX_TITLE_CHARS}` });
  const cancel = el('button', { type: 'button', class: 'action', onclick: () => dialog.close() }, t('form.cancel'));
  const form = el('form', { class: 'dialog-body', autocomplete: 'off' },
    el('h2', { id: 'rename-title' }, t('list.rename_title')),
    el('label', { class: 'stacked' }, el('span', {}, t('conversation.name')), field),
    el('div', { class: 'dialog-foot' }, cancel,
      el('button', { type: 'submit', class: 'action is-main' }, t('form.save'))));
  const dialog = el('dialog', { class: 'dialog is-small', 'aria-labelledby': 'rename-title' }, form);
  const shown = field.value; // without the line breaks, which the field removes
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const isSaved = field.value === shown || await runAction(form, () => save({ title: field.value.trim() || null }));
    if (isSaved) dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    byId(opener)?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}
