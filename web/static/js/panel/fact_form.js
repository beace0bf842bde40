/** Writing down a fact by hand. */

import { attempt } from '../attempt.js';
import { el, icon } from '../element.js';
import { addFact } from '../memory_api.js';
import { t } from '../texts.js';

export class FactForm {
  element;
  #opener = el('button', { type: 'button', class: 'action', onclick: () => this.#toggle(true) }, icon('plus'), t('facts.add'));
  #form;
  #onAdded;

  constructor(categories, onAdded) {
    this.#onAdded = onAdded;
    const options = categories.map((name) => el('option', { value: name }, t(`facts.${name}`)));
    const cancel = el('button', { type: 'button', class: 'action', onclick: () => this.#toggle(false) }, t('form.cancel'));
    this.#form = el('form', { class: 'add-fact', hidden: true, autocomplete: 'off' },
      labelled('facts.category', el('select', { name: 'category', class: 'field-text' }, ...options)),
      labelled('facts.key', el('input', { name: 'key', class: 'field-text', required: true })),
      labelled('facts.value', el('input', { name: 'value', class: 'field-text', required: true })),
      el('div', { class: 'actions' }, el('button', { type: 'submit', class: 'action' }, t('form.save')), cancel));
    this.#form.addEventListener('submit', (event) => this.#submit(event));
    this.element = el('div', { class: 'adding' }, this.#opener, this.#form);
  }

  #toggle(isOpen) {
    this.#form.hidden = !isOpen;
    this.#opener.hidden = isOpen;
    (isOpen ? this.#form.elements.category : this.#opener).focus();
  }

  async #submit(event) {
    event.preventDefault();
    const fact = Object.fromEntries(new FormData(this.#form));
    if (!(await attempt(this.#form, () => addFact(fact)))) return;
    this.#form.reset();
    this.#toggle(false);
    this.#onAdded();
  }
}

function labelled(key, field) {
  return el('label', {}, el('span', {}, t(key)), field);
}
