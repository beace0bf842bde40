/**
 * The list of prompts above the composer, from which one is put into the message. The focus stays in
 * the box. It is a text box with a list of suggestions and no combobox: that has one line only.
 *
 * This folder is loaded with the first slash.
 */

import { listPrompts } from '../../../api/prompts.js';
import { byId, el } from '../../../page/element.js';
import { notifyError } from '../../../page/failures.js';
import { announce } from '../../../page/notices.js';
import { Options } from '../../../page/options.js';
import { t, tCount } from '../../../text/texts.js';
import { Gaps } from './gaps.js';
import { findPrompts } from './matching.js';
import { PromptsDialog } from './prompts_dialog.js';

const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
const SHOWN_CHARS = 200;

export class PromptPicker {
  isOpen = false; // also while nothing matches, and nothing is shown
  #box;
  #composer;
  #prompts = [];
  #options;
  #gaps;
  #dialog = null;

  constructor(box, composer) {
    this.#box = box;
    this.#composer = composer;
    this.#gaps = new Gaps(box);
    this.#options = new Options('prompts', box, (run) => run());
    const { element } = this.#options;
    element.classList.add('prompt-list');
    element.setAttribute('aria-label', t('prompts.title'));
    element.hidden = true;
    element.addEventListener('mousedown', (event) => event.preventDefault()); // the focus stays
    byId('composer').append(element);
    box.setAttribute('aria-autocomplete', 'list');
    box.setAttribute('aria-haspopup', 'listbox');
    box.setAttribute('aria-controls', element.id);
  }

  async load() {
    ({ prompts: this.#prompts } = await listPrompts());
  }

  /** Lists what matches `text`, a slash with what is typed behind it. */
  open(text) {
    this.isOpen = true;
    this.filter(text);
    if (this.#isShown) announce(this.#prompts.length ? tCount('prompts.listed', this.#prompts.length) : t('prompts.none'));
  }

  filter(text) {
    const query = text.slice(1).trim();
    const matches = findPrompts(this.#prompts, query);
    const options = matches.map((prompt) => this.#describe(prompt));
    if (!query) options.push({ nodes: [t(matches.length ? 'prompts.manage' : 'prompts.write')], run: () => this.#manageAndReturn().catch(notifyError) });
    this.#options.show(options.length ? [{ title: t('prompts.title'), options }] : []);
  }

  close() {
    this.isOpen = false;
    this.#options.show([]);
  }

  leaveGaps() {
    this.#gaps.leave();
  }

  /** Opens the dialog in which prompts are written. Resolves when it is closed again. */
  manage() {
    this.#dialog ??= new PromptsDialog();
    return this.#dialog.open();
  }

  /** Returns whether the key was meant for the list, or for the gaps of a prompt. */
  handleKey(event) {
    if (!this.#isShown) return event.key === 'Tab' && this.#gaps.move(event.shiftKey ? -1 : 1);
    if (event.key in STEPS) {
      this.#options.move(STEPS[event.key]);
    } else if (['Enter', 'Tab'].includes(event.key) && !event.shiftKey) {
      this.#options.choose();
    } else if (event.key === 'Escape') {
      this.close();
    } else {
      return false;
    }
    return true;
  }

  get #isShown() {
    return this.isOpen && !this.#options.element.hidden;
  }

  #describe({ name, text }) {
    return {
      nodes: [el('strong', {}, name), el('span', { class: 'hit-about', dir: 'auto' }, text.slice(0, SHOWN_CHARS))],
      run: () => this.#insert(text),
    };
  }

  #insert(text) {
    this.close();
    this.#composer.write(text);
    this.#composer.focus();
    this.#gaps.begin();
  }

  async #manageAndReturn() {
    this.close();
    await this.manage();
    this.#composer.focus();
    if (this.#box.value !== '/') return;
    await this.load();
    this.open(this.#box.value);
  }
}
