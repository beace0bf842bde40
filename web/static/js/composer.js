/** The message box: keys, growth, the draft that is kept for each conversation. */

import { byId } from './element.js';
import { keep, recallKept } from './kept.js';
import { fit, isSending } from './message_box.js';

const NEW_CHAT = 'new';

export class Composer {
  #form = byId('composer');
  #box = byId('message');
  #on;
  #place = NEW_CHAT; // whose draft this is
  #isLive = false;

  /**
   * `on.send(message)`, `on.stop()`, `on.wait()` for a message while a reply is written, and
   * `on.back()` for a step back to the newest message: whether there is one.
   */
  constructor(on) {
    this.#on = on;
    this.#form.addEventListener('submit', (event) => this.#submit(event));
    this.#box.addEventListener('keydown', (event) => this.#press(event));
    this.#box.addEventListener('input', () => this.#note());
    byId('stop').addEventListener('click', () => on.stop());
  }

  /** Shows the draft of this conversation, or of a new chat when `id` is null. */
  show(id) {
    this.#place = id ?? NEW_CHAT;
    this.#fill(recallKept(this.#draft) ?? '');
  }

  /** The message has arrived: its draft is done with, and what is typed next belongs to `id`. */
  accept(id) {
    keep(this.#draft, '');
    this.#place = id;
    this.#note();
  }

  /** Puts a message back that was not taken, before what has been typed since. */
  giveBack(message) {
    const typed = this.#box.value;
    if (!typed.startsWith(message)) this.#fill(typed ? `${message}\n${typed}` : message);
    this.#note();
    this.focus();
  }

  /** The conversation is gone, and what was half written in it. */
  forget(id) {
    keep(`draft.${id}`, '');
  }

  /** The message has arrived after all: its draft, which is shown again, is done with. */
  discard() {
    this.#fill('');
    this.#note();
  }

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

  get #draft() {
    return `draft.${this.#place}`;
  }

  #press(event) {
    if (isSending(event)) this.#submit(event);
    const isBack = event.key === 'ArrowUp' && !this.#box.value && !this.#isLive;
    if (isBack && this.#on.back()) event.preventDefault();
  }

  #submit(event) {
    event.preventDefault();
    const message = this.#box.value.trim();
    if (!message) return;
    if (this.#isLive) {
      this.#on.wait();
      return;
    }
    this.#fill(''); // the draft stays until the message has arrived
    this.#on.send(message);
  }

  #note() {
    keep(this.#draft, this.#box.value);
    fit(this.#box);
  }

  #fill(text) {
    this.#box.value = text;
    fit(this.#box);
  }
}
