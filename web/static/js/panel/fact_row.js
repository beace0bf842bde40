/** One fact. It opens to its origin, its earlier versions, and what the reader can do with it. */

import { correctFact, deleteFact, listVersions, undoReplacement } from '../api/memory.js';
import { runAction } from '../page/action.js';
import { confirmAction } from '../page/dialogs.js';
import { el } from '../page/element.js';
import { announce } from '../page/notices.js';
import { formatFact, readValue } from '../text/facts.js';
import { t } from '../text/texts.js';
import { drawOrigin, drawVersion, hasReplaced } from './fact_versions.js';
import { createButton, drawFact } from './parts.js';

export class FactRow {
  element;
  #fact = null; // the API's
  #sentence = el('summary', {});
  #origin = el('p', { class: 'about' });
  #versions = el('ul', { class: 'versions' });
  #history = el('div', {}, this.#versions); // of its own, so that what the reader does meanwhile is done
  #versionsOf = null; // the id of the fact whose versions are shown
  #input = el('input', { class: 'field-text', dir: 'auto', required: true, autocomplete: 'off' });
  #form = this.#createForm();
  #undo = createButton('facts.undo', () => this.#change(() => undoReplacement(this.#fact.fact_id)));
  #content;
  #details;
  #onChanged;
  #onForget;

  /** `onForget(fact, choices)`: the reader wants it to be forgotten everywhere. */
  constructor({ onChanged, onForget }) {
    this.#onChanged = onChanged;
    this.#onForget = onForget;
    this.#undo.hidden = true;
    const actions = el('div', { class: 'actions' },
      createButton('facts.correct', () => this.#openForm()),
      this.#undo,
      createButton('facts.delete', () => this.#delete()),
      createButton('facts.forget', () => this.#forgetEverywhere(actions)));
    this.#content = el('div', { class: 'fact-more' }, this.#origin, this.#history, this.#form, actions);
    this.#details = el('details', {}, this.#sentence, this.#content);
    this.#details.addEventListener('toggle', () => this.#loadVersions());
    this.element = el('li', { class: 'fact' }, this.#details);
  }

  show(fact) {
    this.#fact = fact;
    this.element.dataset.fact = fact.fact_id;
    this.#showSentence(fact);
    this.#origin.replaceChildren(...drawOrigin(fact));
    if (fact.fact_id !== this.#versionsOf) this.#loadVersions(); // or was it busy?
  }

  // A click is lost if the element under it is replaced before the button is let go.
  #showSentence(fact) {
    const drawn = document.createDocumentFragment();
    drawn.append(...drawFact(fact));
    if (drawn.textContent !== this.#sentence.textContent) this.#sentence.replaceChildren(drawn);
  }

  // Only an open row needs its versions, and few rows are opened.
  async #loadVersions() {
    if (!this.#details.open) return;
    const { fact_id: id } = this.#fact;
    await runAction(this.#history, async () => {
      const { versions } = await listVersions(id);
      this.#undo.hidden = !hasReplaced(versions, id);
      this.#versionsOf = id;
      this.#versions.replaceChildren(...versions.filter((fact) => !fact.is_active).map(drawVersion));
    });
  }

  #createForm() {
    const save = el('button', { type: 'submit', class: 'action' }, t('form.save'));
    const cancel = createButton('form.cancel', () => this.#closeForm());
    const form = el('form', { class: 'fact-form', hidden: true }, this.#input, save, cancel);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#change(() => correctFact(this.#fact.fact_id, readChange(this.#fact, this.#input.value)));
    });
    form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault(); // Escape would also close the panel
      this.#closeForm();
    });
    return form;
  }

  #openForm() {
    this.#input.value = this.#sentence.textContent;
    this.#input.setAttribute('aria-label', t('facts.edit_of', { fact: formatFact(this.#fact) }));
    this.#form.hidden = false;
    this.#input.select();
  }

  #closeForm() {
    this.#form.hidden = true;
    this.#details.firstElementChild.focus();
  }

  async #delete() {
    const { fact_id: id } = this.#fact;
    const title = t('facts.delete_title', { fact: formatFact(this.#fact) });
    if (!(await confirmAction({ title, text: t('facts.delete_text'), verb: t('facts.delete') }))) return;
    await this.#change(() => deleteFact(id));
    announce(t('facts.deleted'));
  }

  async #forgetEverywhere(actions) {
    await runAction(actions, async () => {
      const { chooseErasure } = await import('./fact_erasure.js');
      const choices = await chooseErasure(this.#fact);
      if (choices !== null) this.#onForget(this.#fact, choices);
    });
  }

  async #change(work) {
    if (!(await runAction(this.#content, work))) return;
    if (!this.#form.hidden) this.#closeForm();
    this.#onChanged();
  }
}

/** While the words around the value stay, only the value has changed. */
function readChange(fact, sentence) {
  const value = readValue(fact, sentence);
  return value ? { value } : { text: sentence };
}
