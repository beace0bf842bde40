/** The form in which the reader writes a prompt, or changes one. */

import { addPrompt, changePrompt } from '../../../api/prompts.js';
import { el } from '../../../page/element.js';
import { t } from '../../../text/texts.js';
import { createLibraryForm, labelled } from '../../library/library_form.js';

export class PromptForm {
  element;
  #id = null; // of the prompt that is changed; null: a new one
  #heading = el('h3', { id: 'prompt-form-title', tabindex: '-1' });
  #name = el('input', { class: 'field-text', name: 'name', dir: 'auto', maxlength: '60', required: true });
  #text = el('textarea', {
    class: 'field-text', name: 'text', dir: 'auto', maxlength: '8000', required: true, 'aria-describedby': 'prompt-hint',
  });
  #on;

  /** `on.saved()` and `on.cancelled()`. */
  constructor(on) {
    this.#on = on;
    const fields = [
      labelled('library.name', this.#name),
      labelled('prompts.text', this.#text),
      el('p', { class: 'about', id: 'prompt-hint' }, t('prompts.text.about')),
    ];
    this.element = createLibraryForm(this.#heading, fields, { save: () => this.#save(), cancel: () => on.cancelled() });
  }

  /** `prompt` is {id, name, text}; null for a new one. */
  show(prompt) {
    this.#id = prompt?.id ?? null;
    this.#heading.textContent = t(prompt ? 'prompts.change' : 'prompts.add');
    this.#name.value = prompt?.name ?? '';
    this.#text.value = prompt?.text ?? '';
    this.#heading.focus();
  }

  // The name is typed after a slash, so some write it with one.
  async #save() {
    const prompt = { name: this.#name.value.trim().replace(/^\/+/, ''), text: this.#text.value };
    if (this.#id === null) await addPrompt(prompt);
    else await changePrompt(this.#id, prompt);
    this.#on.saved();
  }
}
