/** A form to add a fact, which is one sentence. */

import { runAction } from '../page/action.js';
import { el, icon } from '../page/element.js';
import { t } from '../text/texts.js';
import { createButton } from './parts.js';

export class FactForm {
  element;
  #opener = createButton('facts.add', () => this.#open());
  #form;
  #add;

  /** `add(text)` adds the fact. */
  constructor(add) {
    this.#add = add;
    this.#opener.prepend(icon('plus'));
    const field = el('input', {
      name: 'text', class: 'field-text', dir: 'auto', required: true, placeholder: t('facts.example'),
    });
    const save = el('button', { type: 'submit', class: 'action' }, t('form.save'));
    this.#form = el('form', { class: 'add-fact', hidden: true, autocomplete: 'off' },
      el('label', {}, el('span', {}, t('facts.sentence')), field),
      el('div', { class: 'actions' }, save, createButton('form.cancel', () => this.#close())));
    this.#form.addEventListener('submit', (event) => this.#submit(event));
    this.#form.addEventListener('keydown', (event) => this.#handleKey(event));
    this.element = el('div', { class: 'adding' }, this.#opener, this.#form);
  }

  #open() {
    this.#form.hidden = false;
    this.#opener.hidden = true;
    this.#form.elements.text.focus();
  }

  #close() {
    this.#form.hidden = true;
    this.#opener.hidden = false;
    this.#opener.focus();
  }

  #handleKey(event) {
    if (event.key !== 'Escape') return;
    event.preventDefault(); // Escape would also close the panel
    this.#close();
  }

  async #submit(event) {
    event.preventDefault();
    const { value } = this.#form.elements.text;
    if (!(await runAction(this.#form, () => this.#add(value)))) return;
    this.#form.reset();
    this.#close();
  }
}
