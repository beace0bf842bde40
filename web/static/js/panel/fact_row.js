/** One fact: opens to where it came from, its other versions, and what can be done about it. */

import { announce } from '../announcer.js';
import { attempt } from '../attempt.js';
import { confirmed } from '../confirming.js';
import { el } from '../element.js';
import { forgetEverywhere } from '../erasing.js';
import { correctFact, deleteFact, listVersions, undoReplacement } from '../memory_api.js';
import { t } from '../texts.js';
import { drawOrigin, drawVersion, hasReplaced } from './versions.js';

export class FactRow {
  element;
  #fact = null; // the API's
  #key = el('span', { class: 'fact-key' });
  #value = el('span', { class: 'fact-value' });
  #origin = el('p', { class: 'about' });
  #versions = el('ul', { class: 'versions' });
  #input = el('input', { class: 'field-text', required: true, autocomplete: 'off' });
  #form = this.#createForm();
  #undo = button('facts.undo', () => this.#change(() => undoReplacement(this.#fact.fact_id)));
  #more;
  #details;
  #onChanged;

  constructor(onChanged) {
    this.#onChanged = onChanged;
    const actions = el('div', { class: 'actions' },
      button('facts.correct', () => this.#edit()), this.#undo, button('facts.delete', () => this.#delete()),
      button('facts.forget', () => this.#forget(actions)));
    this.#more = el('div', { class: 'fact-more' }, this.#origin, this.#versions, this.#form, actions);
    this.#details = el('details', {}, el('summary', {}, this.#key, ' ', this.#value), this.#more);
    this.#details.addEventListener('toggle', () => this.#loadVersions());
    this.element = el('li', { class: 'fact' }, this.#details);
    this.#undo.hidden = true;
  }

  show(fact) {
    const isNew = fact.fact_id !== this.#fact?.fact_id;
    this.#fact = fact;
    this.#key.textContent = fact.key.replaceAll('_', ' ');
    this.#value.textContent = fact.value;
    this.#origin.replaceChildren(...drawOrigin(fact));
    if (isNew) this.#loadVersions();
  }

  // Few facts are ever opened, so their pasts are not fetched with all the others.
  async #loadVersions() {
    if (!this.#details.open) return;
    const { fact_id: id } = this.#fact;
    await attempt(this.#more, async () => {
      const { versions } = await listVersions(id);
      this.#undo.hidden = !hasReplaced(versions, id);
      this.#versions.replaceChildren(...versions.filter((fact) => !fact.is_active).map(drawVersion));
    });
  }

  #createForm() {
    const save = el('button', { type: 'submit', class: 'action' }, t('form.save'));
    const cancel = button('form.cancel', () => this.#close());
    const form = el('form', { class: 'fact-form', hidden: true }, this.#input, save, cancel);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#change(() => correctFact(this.#fact.fact_id, this.#input.value));
    });
    form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault(); // or it would close the panel as well
      this.#close();
    });
    return form;
  }

  #edit() {
    this.#input.value = this.#fact.value;
    this.#input.setAttribute('aria-label', t('facts.value_of', { key: this.#key.textContent }));
    this.#form.hidden = false;
    this.#input.select();
  }

  #close() {
    this.#form.hidden = true;
    this.#details.firstElementChild.focus();
  }

  async #delete() {
    const { key, value, fact_id: id } = this.#fact;
    const title = t('facts.delete_title', { key: key.replaceAll('_', ' '), value });
    if (!(await confirmed({ title, text: t('facts.delete_text'), verb: t('facts.delete') }))) return;
    await this.#change(() => deleteFact(id));
    announce(t('facts.deleted'));
  }

  async #forget(actions) {
    if (await attempt(actions, () => forgetEverywhere(this.#fact))) this.#onChanged();
  }

  async #change(work) {
    if (!(await attempt(this.#more, work))) return;
    if (!this.#form.hidden) this.#close();
    this.#onChanged();
  }
}

function button(key, onclick) {
  return el('button', { type: 'button', class: 'action', onclick }, t(key));
}
