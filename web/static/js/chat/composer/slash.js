/**
 * A slash as the first sign of a message opens the list of the reader's prompts. What shows them is
 * loaded with the first.
 */

import { byId } from '../../page/element.js';
import { notifyError } from '../../page/failures.js';
import { isForInputMethod } from '../../page/input_method.js';

const HELD_KEYS = ['Enter', 'Tab'];

export class Slash {
  #box = byId('message');
  #composer;
  #picker = null; // once it is loaded
  #isWaiting = false; // for what is loaded, with a slash in the box

  constructor(composer) {
    this.#composer = composer;
    const note = (event) => this.#note(event.isComposing);
    this.#box.addEventListener('input', note);
    this.#box.addEventListener('compositionend', () => this.#note(false));
    this.#box.addEventListener('blur', () => this.#closeList());
    // Before the box itself hears of a key, and sends the message.
    byId('composer').addEventListener('keydown', (event) => this.#handleKey(event), { capture: true });
    byId('prompts-open').addEventListener('click', () => this.#load((picker) => picker.manage()));
  }

  /** The text was put into the box by other means than typing: it is another message now. */
  close() {
    this.#closeList();
    this.#picker?.leaveGaps();
  }

  #closeList() {
    this.#isWaiting = false;
    this.#picker?.close();
  }

  // On some touch keyboards each word is composed, so an open list follows what is composed, too.
  #note(isComposing) {
    const text = this.#box.value;
    if (!text.startsWith('/')) this.#closeList();
    else if (this.#picker?.isOpen) this.#picker.filter(text);
    else if (text === '/' && !isComposing) this.#open();
  }

  async #open() {
    this.#isWaiting = true;
    await this.#load(async (picker) => {
      await picker.load();
      if (this.#isWaiting) picker.open(this.#box.value);
    });
    this.#isWaiting = false;
  }

  async #load(use) {
    try {
      const { PromptPicker } = await import('./prompts/prompt_picker.js');
      this.#picker ??= new PromptPicker(this.#box, this.#composer);
      await use(this.#picker);
    } catch (error) {
      notifyError(error);
    }
  }

  // A reader who types fast must not send the name of a prompt that is about to be listed.
  #handleKey(event) {
    if (event.target !== this.#box || isForInputMethod(event)) return;
    const isHandled = this.#isWaiting ? this.#wait(event) : this.#picker?.handleKey(event);
    if (!isHandled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #wait({ key, shiftKey }) {
    if (key === 'Escape') this.#isWaiting = false;
    return key === 'Escape' || (HELD_KEYS.includes(key) && !shiftKey);
  }
}
