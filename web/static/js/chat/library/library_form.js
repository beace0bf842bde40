/** The frame of a form in which the reader writes a persona or a prompt. */

import { runAction } from '../../page/action.js';
import { el } from '../../page/element.js';
import { t } from '../../text/texts.js';

export function labelled(key, field) {
  return el('label', { class: 'stacked' }, el('span', {}, t(key)), field);
}

/** `heading` names the form. `save()` is called for its button, and `cancel()` for the other. */
export function createLibraryForm(heading, fields, { save, cancel }) {
  const form = el('form', { class: 'library-form', autocomplete: 'off', 'aria-labelledby': heading.id },
    heading, ...fields,
    el('div', { class: 'dialog-foot' },
      el('button', { type: 'button', class: 'action', onclick: cancel }, t('form.cancel')),
      el('button', { type: 'submit', class: 'action is-main' }, t('form.save'))));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    runAction(form, save);
  });
  return form;
}
