/**
 * A message that waits for the end of a reply: one for each conversation. It is kept in the
 * browser's storage, so that a reload does not lose it, and only one of several tabs sends it.
 */

import { byId, el, iconButton } from '../page/element.js';
import { announce, notify } from '../page/notices.js';
import { readStored, store } from '../page/storage.js';
import { t } from '../text/texts.js';

const NEW_CHAT = 'new';

export class MessageQueue {
  #owner = NEW_CHAT; // the conversation whose message is shown
  #unstored = new Map(); // what the browser's storage did not take, by owner
  #text = el('span', { class: 'queued-text', dir: 'auto' });
  #element;
  #on;

  /**
   * `on.send(message)` sends it; `on.restore(message)` puts it back into the composer.
   * `on.isPrivate()` tells whether it must not be kept in the browser's storage.
   */
  constructor(on) {
    this.#on = on;
    this.#element = el('div', { class: 'queued', role: 'group', 'aria-label': t('queue.label'), hidden: true },
      el('span', { class: 'queued-label' }, t('queue.next')), this.#text,
      iconButton('edit', t('queue.edit'), { class: 'quiet', onclick: () => this.takeBack() }),
      iconButton('close', t('queue.remove'), { class: 'quiet', onclick: () => this.#take() }));
    byId('composer').before(this.#element);
  }

  /** Adds to the waiting message. */
  add(message) {
    const waiting = this.#read();
    this.#write(waiting ? `${waiting}\n\n${message}` : message);
    announce(t('queue.added'));
  }

  /** The reply has ended. Only after a whole one the message is sent. */
  settle(isWhole) {
    const message = this.#take();
    if (!message) return;
    if (isWhole) this.#on.send(message);
    else this.#on.restore(message);
    if (!isWhole) notify(t('queue.back'));
  }

  takeBack() {
    const message = this.#take();
    if (message) this.#on.restore(message);
  }

  /**
   * Shows what waits in a conversation, or in a new chat when `id` is null. If no reply is being
   * written any more, it goes back into the composer: the reader may have other thoughts by now.
   */
  show(id, isLive) {
    this.#owner = id ?? NEW_CHAT;
    this.#draw();
    if (!isLive) this.takeBack();
  }

  /** The new chat has become conversation `id`. */
  adopt(id) {
    const message = this.#owner === NEW_CHAT ? this.#take() : '';
    this.#owner = id;
    if (message) this.#write(message);
  }

  /** Removes the message of a conversation that was deleted. */
  forget(id) {
    this.#unstored.delete(id);
    store(keyOf(id), '');
    this.#draw();
  }

  // '' if nothing waits, or another tab has taken it.
  #take() {
    const message = this.#read();
    this.#write('');
    return message;
  }

  #read() {
    return readStored(keyOf(this.#owner)) ?? this.#unstored.get(this.#owner) ?? '';
  }

  #write(message) {
    const key = keyOf(this.#owner);
    store(key, this.#on.isPrivate() ? '' : message);
    if (message && readStored(key) !== message) this.#unstored.set(this.#owner, message);
    else this.#unstored.delete(this.#owner);
    this.#draw();
  }

  #draw() {
    const message = this.#read();
    this.#element.hidden = !message;
    this.#text.textContent = message;
  }
}

function keyOf(owner) {
  return `queued.${owner}`;
}
