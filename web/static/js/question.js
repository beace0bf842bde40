/** A user's message, and the box in which the newest one can be put in other words. */

import { el, icon } from './element.js';
import { messageFrame } from './message.js';
import { fit, isSending } from './message_box.js';
import { t } from './texts.js';

export class Question {
  element;
  #message;
  #body;
  #form = null; // while it is being edited
  #onEdit;

  /**
   * `message` is the API's; `on.edit(sequence, text)` is called with other words for it,
   * `on.erase(sequence, role)` when it is to be deleted.
   */
  constructor(message, on) {
    this.#message = message;
    this.#onEdit = on.edit;
    this.#body = el('div', { class: 'message-body', dir: 'auto' }, message.content);
    this.element = messageFrame(message, { readText: () => message.content, onErase: on.erase }, this.#body);
    this.element.querySelector('.copying').before(this.#createPencil());
  }

  get text() {
    return this.#message.content;
  }

  /** Opens the box with `text` in it; a box that is open keeps what is in it. */
  edit(text = this.text) {
    this.#form ??= this.#open(text);
    const { message } = this.#form.elements;
    fit(message);
    message.focus();
    message.setSelectionRange(message.value.length, message.value.length);
  }

  #createPencil() {
    const label = t('edit.open');
    const attributes = { type: 'button', class: 'quiet edit', title: label, 'aria-label': label };
    return el('button', { ...attributes, onclick: () => this.edit() }, icon('edit'));
  }

  #open(text) {
    const box = el('textarea', { name: 'message', rows: '1', dir: 'auto', 'aria-label': t('edit.label') });
    box.value = text;
    box.addEventListener('input', () => fit(box));
    const form = el('form', { class: 'editing', autocomplete: 'off' }, box,
      el('div', { class: 'editing-foot' },
        el('button', { type: 'button', class: 'action', onclick: () => this.#close() }, t('form.cancel')),
        el('button', { type: 'submit', class: 'action is-main' }, t('edit.send'))));
    form.addEventListener('submit', (event) => this.#submit(event));
    form.addEventListener('keydown', (event) => this.#press(event));
    this.#body.hidden = true;
    this.#body.after(form);
    return form;
  }

  #press(event) {
    if (event.key === 'Escape') {
      event.preventDefault(); // or it would stop a reply
      this.#close();
    } else if (isSending(event) && event.target.name === 'message') this.#submit(event);
  }

  #submit(event) {
    event.preventDefault();
    const text = this.#form.elements.message.value.trim();
    if (!text) return;
    this.#close();
    if (text !== this.text) this.#onEdit(Number(this.element.dataset.sequence), text);
  }

  #close() {
    this.#form.remove();
    this.#form = null;
    this.#body.hidden = false;
    this.element.querySelector('.edit').focus();
  }
}
