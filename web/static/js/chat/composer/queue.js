/**
 * A message that waits for the end of a reply, or for a connection: one for each conversation, and one
 * for the new chat of each tab. It is kept in the browser's storage, so that a reload does not lose it.
 */

import { byId, el, iconButton } from '../../page/element.js';
import { Emitter } from '../../page/emitter.js';
import { announce, notify } from '../../page/notices.js';
import { watchStored } from '../../page/storage.js';
import { t } from '../../text/texts.js';
import { createKey, isLate, isNewChat, listWaiting, newChatOf, readWaiting, writeWaiting } from './waiting.js';

const OTHERS_MS = 2000; // until what waits in other tabs' chats is on its way

export class MessageQueue extends Emitter {
  #owner = newChatOf(); // the conversation, or this tab's new chat, whose message is shown
  #unstored = new Map(); // what the browser's storage did not take, by owner
  #label = el('span', { class: 'queued-label' });
  #text = el('span', { class: 'queued-text', dir: 'auto' });
  #element;
  #chat;
  #rounds;
  #open;

  /**
   * `open(id)` opens a conversation. A `returned` event has a message, {message, files}, that goes back
   * into the composer.
   */
  constructor(chat, rounds, open) {
    super();
    this.#chat = chat;
    this.#rounds = rounds;
    this.#open = open;
    this.#element = el('div', { class: 'queued', role: 'group', 'aria-label': t('queue.label'), hidden: true },
      this.#label, this.#text,
      iconButton('edit', t('queue.edit'), { class: 'quiet', onclick: () => this.takeBack() }),
      iconButton('close', t('queue.remove'), { class: 'quiet', onclick: () => this.#take() }));
    byId('composer').before(this.#element);
    window.addEventListener('online', () => this.#handleOnline());
    watchStored((name) => name.startsWith('queued.') && this.#draw());
  }

  /** Adds to the waiting message. */
  add(message, files) {
    const waiting = this.#read();
    this.#write({
      message: waiting ? `${waiting.message}\n\n${message}` : message,
      files: [...waiting?.files ?? [], ...files],
      key: createKey(),
      isOffline: !this.#chat.isLive,
      since: Date.now(),
    });
    announce(t(this.#chat.isLive ? 'queue.added' : 'queue.added_offline'));
  }

  /** The reply has ended. Only after a whole one the message is sent. */
  settle(isWhole) {
    const waiting = this.#read();
    if (!waiting) return;
    if (isWhole && !navigator.onLine) {
      this.#write({ ...waiting, isOffline: true, since: Date.now() });
      return;
    }
    if (isWhole) this.#send(this.#take());
    else this.takeBack();
    if (!isWhole) notify(t('queue.back'), { isCalm: true });
  }

  takeBack() {
    const waiting = this.#take();
    if (waiting) this.emit('returned', waiting);
  }

  /**
   * Shows what waits in a conversation, or in a new chat when `id` is null. What waits for a
   * connection is sent once there is one. If no reply is being written any more, everything else goes
   * back into the composer: the reader may have other thoughts by now. So does the first message of a
   * chat whose options were chosen on an earlier visit, or in a tab that is gone.
   */
  show(id, isLive) {
    this.#owner = id ?? newChatOf();
    this.#draw();
    if (isLive) return;
    if (id === null) this.#takeAllBack();
    else if (this.#read()?.isOffline) this.#sendOnline();
    else this.takeBack();
  }

  /** The new chat has become conversation `id`. */
  adopt(id) {
    const waiting = this.#owner === newChatOf() ? this.#take() : null;
    this.#owner = id;
    if (waiting) this.#write(waiting);
  }

  /** Removes the message of a conversation that was deleted. */
  forget(id) {
    this.#unstored.delete(id);
    writeWaiting(id, null);
    this.#draw();
  }

  /** Tells once of what was written without a connection in other conversations: it is sent from there. */
  tellElsewhere() {
    const [id] = listWaiting().filter((owner) => owner !== this.#owner && !isNewChat(owner) && readWaiting(owner)?.isOffline);
    if (!id || !navigator.onLine) return;
    const open = () => {
      dismiss();
      this.#open(id);
    };
    const { dismiss } = notify(t('queue.elsewhere'), { lasting: true, action: { label: t('queue.elsewhere.open'), run: open } });
  }

  // The new chat of a tab that is still open is sent by that one, unless it has waited for long.
  #takeAllBack() {
    this.takeBack();
    if (!navigator.onLine || this.#chat.isPrivate) return;
    for (const owner of listWaiting().filter(isNewChat)) {
      const waiting = readWaiting(owner);
      if (!waiting || !isLate(waiting)) continue;
      writeWaiting(owner, null);
      this.emit('returned', waiting);
    }
  }

  // What waits in the chat of another tab is sent by that one.
  #handleOnline() {
    this.#sendOnline();
    setTimeout(() => this.tellElsewhere(), OTHERS_MS);
  }

  // All tabs hear of the connection at once. The lock lets one after another look; but a tab may see
  // what another has taken only a moment later, and without TLS there are no locks. Then both send,
  // with the same key, by which the server stores the message once.
  async #sendOnline() {
    if (navigator.locks) await navigator.locks.request('throughline.queue', () => this.#sendNow());
    else this.#sendNow();
  }

  #sendNow() {
    if (!navigator.onLine || this.#chat.isLive) return;
    const waiting = this.#read();
    if (!waiting?.isOffline) return;
    if (!isLate(waiting)) {
      this.#send(this.#take());
      return;
    }
    this.takeBack();
    notify(t('queue.late'));
  }

  #send({ message, files, key }) {
    this.#rounds.send(message, files, key);
  }

  // null if nothing waits, or another tab has taken it.
  #take() {
    const waiting = this.#read();
    this.#write(null);
    return waiting;
  }

  #read() {
    return readWaiting(this.#owner) ?? this.#unstored.get(this.#owner) ?? null;
  }

  #write(waiting) {
    const copy = this.#chat.isPrivate ? null : waiting;
    const isStored = writeWaiting(this.#owner, copy) && copy === waiting;
    if (!isStored) this.#unstored.set(this.#owner, waiting);
    else this.#unstored.delete(this.#owner);
    this.#draw();
  }

  #draw() {
    const waiting = this.#read();
    this.#element.hidden = !waiting;
    this.#label.textContent = t(waiting?.isOffline ? 'queue.offline' : 'queue.next');
    this.#text.textContent = waiting?.message ?? '';
  }
}
