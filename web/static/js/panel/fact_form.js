/** A form to add a fact. */

import { addFact } from '../api/memory.js';
import { runAction } from '../page/action.js';
import { el, icon } from '../page/element.js';
import { t } from '../text/texts.js';
import { createButton } from './parts.js';

export class FactForm {
  element;
  #opener = createButton('facts.add', () => this.#open());
  #form;
  #onAdded;

  constructor(categories, onAdded) {
    this.#onAdded = onAdded;
    this.#opener.prepend(icon('plus'));
    const options = categories.map((name) => el('option', { value: name }, t(`facts.${name}`)));
    const save = el('button', { type: 'submit', class: 'action' }, t('form.save'));
    this.#form = el('form', { class: 'add-fact', hidden: true, autocomplete: 'off' },
      labelled('facts.category', el('select', { name: 'category', class: 'field-text' }, ...options)),
      labelled('facts.key', el('input', { name: 'key', class: 'field-text', required: true })),
      labelled('facts.value', el('input', { name: 'value', class: 'field-text', dir: 'auto', required: true })),
      el('div', { class: 'actions' }, save, createButton('form.cancel', () => this.#close())));
    this.#form.addEventListener('submit', (event) => this.#submit(event));
    this.element = el('div', { class: 'adding' }, this.#opener, this.#form);
  }

  #open() {
    this.#form.hidden = false;
    this.#opener.hidden = true;
    this.#form.elements.category.focus();
  }

  #close() {
    this.#form.hidden = true;
    this.#opener.hidden = false;
    this.#opener.focus();
  }

  async #submit(event) {
    event.preventDefault();
    const fact = Object.fromEntries(new FormData(this.#form));
    if (!(await runAction(this.#form, () => addFact(fact)))) return;
    this.#form.reset();
    this.#close();
    this.#onAdded();
  }
}

function labelled(key, field) {
  return el('label', {}, el('span', {}, t(key)), field);
}
