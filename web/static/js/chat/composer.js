/** The box for a new message. It keeps a draft for each conversation. */

import { byId } from '../page/element.js';
import { readStored, store } from '../page/storage.js';

const NEW_CHAT = 'new';
const IME_KEY_CODE = 229; // of a key that an input method handles, in browsers without isComposing

export class Composer {
  #form = byId('composer');
  #box = byId('message');
  #on;
  #owner = NEW_CHAT; // the conversation that the draft belongs to
  #isLive = false;

  /**
   * `on.send(message)` and `on.stop()` are called for the buttons. `on.wait()` is called when the
   * reader sends a message while a reply is written. `on.editNewest()` is called for the up arrow in
   * an empty box, and returns whether there is a message to edit.
   */
  constructor(on) {
    this.#on = on;
    this.#form.addEventListener('submit', (event) => this.#submit(event));
    this.#box.addEventListener('keydown', (event) => this.#handleKey(event));
    this.#box.addEventListener('input', () => this.#noteInput());
    byId('stop').addEventListener('click', () => on.stop());
  }

  /** Shows the draft of a conversation, or of a new chat when `id` is null. */
  show(id) {
    this.#owner = id ?? NEW_CHAT;
    this.#fill(readStored(draftOf(this.#owner)) ?? '');
  }

  /** The server has stored the message. Its draft is removed; what is typed next belongs to `id`. */
  accept(id) {
    store(draftOf(this.#owner), '');
    this.#owner = id;
    this.#noteInput();
  }

  /** Puts a message back that was not sent, before what has been typed since. */
  restore(message) {
    const typed = this.#box.value;
    if (!typed.startsWith(message)) this.#fill(typed ? `${message}\n${typed}` : message);
    this.#noteInput();
    this.focus();
  }

  /** Removes the draft of a conversation that was deleted. */
  forget(id) {
    store(draftOf(id), '');
  }

  /** Removes the draft that is shown, because its message was sent after all. */
  discard() {
    this.#fill('');
    this.#noteInput();
  }

  /** While a reply is written, the button stops it. */
  setLive(isLive) {
    this.#isLive = isLive;
    const hadFocus = document.activeElement === byId('stop');
    byId('send').hidden = isLive;
    byId('stop').hidden = !isLive;
    if (hadFocus) this.focus();
  }

  focus() {
    this.#box.focus();
  }

  #handleKey(event) {
    if (isSendKey(event)) this.#submit(event);
    const editsNewest = event.key === 'ArrowUp' && !this.#box.value && !this.#isLive;
    if (editsNewest && this.#on.editNewest()) event.preventDefault();
  }

  // The draft is kept until the server has stored the message.
  #submit(event) {
    event.preventDefault();
    const message = this.#box.value.trim();
    if (!message) return;
    if (this.#isLive) {
      this.#on.wait();
      return;
    }
    this.#fill('');
    this.#on.send(message);
  }

  #noteInput() {
    store(draftOf(this.#owner), this.#box.value);
    fitHeight(this.#box);
  }

  #fill(text) {
    this.#box.value = text;
    fitHeight(this.#box);
  }
}

/** Enter sends. Shift + Enter starts a new line, and an input method uses Enter for itself. */
export function isSendKey(event) {
  return event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== IME_KEY_CODE;
}

/** Makes a text box as high as its text. Not every browser has CSS `field-sizing` yet. */
export function fitHeight(box) {
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}

function draftOf(owner) {
  return `draft.${owner}`;
}
