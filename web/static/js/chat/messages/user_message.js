/** A user's message. It can be edited; the newest one in its place, an older one in a branch. */

import { el, iconButton } from '../../page/element.js';
import { drawFormulasInText } from '../../text/formulas.js';
import { t } from '../../text/texts.js';
import { fitHeight, isSendKey } from '../composer/composer.js';
import { createForkPager } from './fork_pager.js';
import { createMessage, createTools } from './message.js';

const FEW_EMOJI = /^\s*(?:\p{RGI_Emoji}\s*){1,3}$/v;

export class UserMessage {
  element;
  #message;
  #body;
  #form = null; // while the message is being edited
  #on;
  #fork = null; // the element that leads to other branches

  /**
   * `message` is the API's. `on.edit(sequence, text)` is called with the new text,
   * `on.erase(sequence, role)` when the message is to be deleted. `on.startsBranch(sequence)` tells
   * whether an edit begins a branch.
   */
  constructor(message, on) {
    this.#message = message;
    this.#on = on;
    this.#body = el('div', { class: 'message-body', dir: 'auto' }, message.content);
    this.#body.classList.toggle('is-emoji', FEW_EMOJI.test(message.content));
    drawFormulasInText(this.#body);
    const editButton = iconButton('edit', t('edit.open'), { class: 'quiet edit', onclick: () => this.edit() });
    const tools = createTools(message, { readText: () => message.content, onErase: on.erase }, editButton);
    this.element = createMessage(message, tools, this.#body);
    this.#showFiles();
  }

  get text() {
    return this.#message.content;
  }

  /** The API's attachments. */
  get files() {
    return this.#message.attachments ?? [];
  }

  get #sequence() {
    return Number(this.element.dataset.sequence);
  }

  /** Leads to the other wordings of this message. `fork` is the API's. */
  showFork(fork) {
    this.#fork?.remove();
    this.#fork = createForkPager(fork);
    this.element.append(this.#fork);
  }

  /** Opens the form with `text` in it. A form that is open already keeps its text. */
  edit(text = this.text) {
    this.#form ??= this.#openForm(text);
    const { message: box } = this.#form.elements;
    fitHeight(box);
    box.focus();
    box.setSelectionRange(box.value.length, box.value.length);
  }

  // Few messages have files, so what shows them is loaded with the first.
  async #showFiles() {
    if (!this.files.length) return;
    const { createFileList } = await import('../composer/attachments/file_list.js');
    this.#body.after(createFileList(this.files));
  }

  #openForm(text) {
    const box = el('textarea', { name: 'message', rows: '1', dir: 'auto', 'aria-label': t('edit.label') });
    box.value = text;
    box.addEventListener('input', () => fitHeight(box));
    const note = this.#on.startsBranch(this.#sequence) && el('p', { class: 'note' }, t('edit.branch'));
    const form = el('form', { class: 'editing', autocomplete: 'off' }, box,
      el('div', { class: 'editing-foot' }, note || null,
        el('button', { type: 'button', class: 'action', onclick: () => this.#closeForm() }, t('form.cancel')),
        el('button', { type: 'submit', class: 'action is-main' }, t('edit.send'))));
    form.addEventListener('submit', (event) => this.#submit(event));
    form.addEventListener('keydown', (event) => this.#handleKey(event));
    this.#body.hidden = true;
    this.#body.after(form);
    return form;
  }

  #handleKey(event) {
    if (event.key === 'Escape') {
      event.preventDefault(); // Escape would also stop a reply
      this.#closeForm();
    } else if (isSendKey(event) && event.target.name === 'message') {
      this.#submit(event);
    }
  }

  #submit(event) {
    event.preventDefault();
    const text = this.#form.elements.message.value.trim();
    if (!text) return;
    this.#closeForm();
    if (text !== this.text) this.#on.edit(this.#sequence, text);
  }

  #closeForm() {
    this.#form.remove();
    this.#form = null;
    this.#body.hidden = false;
    this.element.querySelector('.edit').focus();
    if (!this.element.contains(document.activeElement)) this.element.querySelector('.message-more').focus(); // it is in there
  }
}
