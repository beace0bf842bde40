/** The box for a new message. It keeps a draft for each conversation. */

import { byId } from '../page/element.js';
import { readStored, store } from '../page/storage.js';
import { t } from '../text/texts.js';

const NEW_CHAT = 'new';
const IME_KEY_CODE = 229; // of a key that an input method handles, in browsers without isComposing

export class Composer {
  #form = byId('composer');
  #box = byId('message');
  #on;
  #owner = NEW_CHAT; // the conversation that the draft belongs to
  #isLive = false;

  /**
   * `on.send(message)` and `on.stop()` are called for the buttons. `on.queue(message)` is called
   * when the reader sends a message while a reply is written. `on.editNewest()` is called for the up
   * arrow in an empty box, and returns whether there is a message to edit. `on.isPrivate()` tells
   * whether drafts must not be kept.
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

  /** While a reply is written, a button stops it, and a message waits for its end. */
  setLive(isLive) {
    this.#isLive = isLive;
    const hadFocus = document.activeElement === byId('stop');
    byId('stop').hidden = !isLive;
    this.#showSend();
    if (hadFocus) this.focus();
  }

  focus() {
    this.#box.focus();
  }

  /** Not on a touch screen, where the focus would open the on-screen keyboard. */
  focusWithMouse() {
    if (window.matchMedia('(pointer: fine)').matches) this.focus();
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
    this.#fill('');
    if (this.#on.isPrivate()) this.#noteInput();
    if (!this.#isLive) this.#on.send(message);
    else this.#queue(message);
  }

  #queue(message) {
    this.#on.queue(message);
    this.#noteInput(); // it is a draft no more
  }

  #noteInput() {
    store(draftOf(this.#owner), this.#on.isPrivate() ? '' : this.#box.value);
    this.#fit();
  }

  #fill(text) {
    this.#box.value = text;
    this.#fit();
  }

  #fit() {
    fitHeight(this.#box);
    this.#showSend();
  }

  // While a reply is written, there is nothing to send but what is typed meanwhile.
  #showSend() {
    const send = byId('send');
    send.hidden = this.#isLive && !this.#box.value.trim();
    const label = t(this.#isLive ? 'composer.send_next' : 'composer.send');
    send.ariaLabel = label;
    send.title = label;
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
