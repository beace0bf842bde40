/** The box for a new message. It keeps a draft for each conversation. */

import { describeError, isAbort } from '../../api/errors.js';
import { byId } from '../../page/element.js';
import { wayOut } from '../../page/failures.js';
import { isForInputMethod } from '../../page/input_method.js';
import { dropNotices, notify } from '../../page/notices.js';
import { readStored, store } from '../../page/storage.js';
import { t } from '../../text/texts.js';
import { Attaching } from './attaching.js';
import { Slash } from './slash.js';

const NEW_CHAT = 'new';

export class Composer {
  #form = byId('composer');
  #box = byId('message');
  #chat;
  #queue;
  #rounds;
  #thread;
  #owner = NEW_CHAT; // the conversation that the draft belongs to
  #isLive = false;
  #offered = ''; // the example that was put into the box last
  #attaching;
  #slash;

  /** What is sent while a reply is written, or without a connection, waits in the `queue`. */
  constructor(chat, { rounds, thread, queue }) {
    this.#chat = chat;
    this.#rounds = rounds;
    this.#thread = thread;
    this.#queue = queue;
    this.#attaching = new Attaching(chat);
    this.#slash = new Slash(this);
    this.#form.addEventListener('submit', (event) => this.#submit(event));
    this.#box.addEventListener('keydown', (event) => this.#handleKey(event));
    this.#box.addEventListener('input', () => this.#noteInput());
    byId('stop').addEventListener('click', () => rounds.stop());
    queue.on('returned', ({ message, files }) => this.#restore(message, files));
    chat.on('shown', (shown) => this.#noteShown(shown));
    chat.on('started', () => this.#noteStarted());
    chat.on('live', (isLive) => this.#setLive(isLive));
    chat.on('ended', ({ isWhole }) => queue.settle(isWhole));
    chat.on('refused', ({ sent, error }) => this.#takeBack(sent, error));
    chat.on('arrived', (sent) => this.#settle({ ...sent, id: sent.id ?? NEW_CHAT }));
  }

  #noteShown({ isOther, isLive }) {
    const { id } = this.#chat;
    if (isOther) this.#show(id);
    this.#queue.show(id, isLive);
  }

  #noteStarted() {
    const { id } = this.#chat;
    this.#accept(id);
    this.#queue.adopt(id);
  }

  // The reader may have gone on to another chat.
  #takeBack(sent, error) {
    if (sent.id === this.#chat.id) this.#queue.takeBack();
    this.#restoreFor(sent);
    if (!isAbort(error)) notify(t('notice.not_sent', { reason: describeError(error) }), wayOut(error));
  }

  /** Shows the draft of a conversation, or of a new chat when `id` is null. */
  #show(id) {
    this.#owner = id ?? NEW_CHAT;
    this.#fill(readStored(draftOf(this.#owner)) ?? '');
    this.#attaching.show(this.#owner);
  }

  /** The server has stored the message. Its draft is removed; what is typed next belongs to `id`. */
  #accept(id) {
    store(draftOf(this.#owner), '');
    this.#owner = id;
    this.#attaching.accept(id);
    this.#noteInput();
  }

  /** Puts a message back that was not sent, with its files, before what has been typed since. */
  #restore(message, files = []) {
    this.#attaching.restore(files);
    this.#fill(putBefore(this.#box.value, message, readStored(draftOf(this.#owner))));
    this.#noteInput();
    this.focus();
  }

  /** The same for the draft of a conversation, or of a new chat for null, that may have been left. */
  #restoreFor({ id, message, files }) {
    const owner = id ?? NEW_CHAT;
    if (owner === this.#owner) {
      this.#restore(message, files);
      return;
    }
    const draft = readStored(draftOf(owner)) ?? '';
    store(draftOf(owner), putBefore(draft, message, draft));
    this.#attaching.restore(files, owner);
  }

  /** A message has arrived whose answer was lost: it is no draft any more. */
  #settle({ id, message }) {
    if (id === this.#owner) {
      if (this.#box.value.trim() === message) this.#fill(''); // the reader has left and come back meanwhile
      this.#accept(id);
    } else if (readStored(draftOf(id))?.trim() === message) this.forget(id);
  }

  /** Puts an example into the box, in place of another one. What the reader has typed stays. */
  offer(example) {
    if (this.#box.value === this.#offered) this.#fill('');
    this.#offered = example;
    this.#restore(example);
  }

  get text() {
    return this.#box.value;
  }

  /** Replaces the text in the box, as if the reader had typed it. */
  write(text) {
    this.#fill(text);
    this.#noteInput();
  }

  /** Removes the draft of a conversation that was deleted, and what waits there. */
  forget(id) {
    store(draftOf(id), '');
    store(`files.${id}`, '');
    this.#queue.forget(id);
  }

  /** While a reply is written, a button stops it, and a message waits for its end. */
  #setLive(isLive) {
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
    if (editsNewest && !this.#chat.isTemporary && this.#thread.editNewest()) event.preventDefault();
  }

  // The draft is kept until the server has stored the message.
  #submit(event) {
    event.preventDefault();
    const message = this.#box.value.trim();
    if (!message && this.#attaching.hasFiles) notify(t('attach.say'));
    if (!message || this.#attaching.objects()) return;
    dropNotices(t('attach.say'));
    const files = this.#attaching.take();
    this.#fill('');
    this.#form.dispatchEvent(new Event('sent'));
    if (this.#chat.isPrivate) this.#noteInput();
    const isOffline = !navigator.onLine && !this.#chat.isPrivate; // nothing of a private chat is kept
    if (this.#isLive || isOffline) this.#enqueue(message, files);
    else this.#rounds.send(message, files);
  }

  #enqueue(message, files) {
    this.#queue.add(message, files);
    this.#attaching.accept(this.#owner);
    this.#noteInput(); // it is a draft no more
  }

  #noteInput() {
    store(draftOf(this.#owner), this.#chat.isPrivate ? '' : this.#box.value);
    this.#fit();
  }

  #fill(text) {
    this.#slash.close();
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
  return event.key === 'Enter' && !event.shiftKey && !isForInputMethod(event);
}

/** Makes a text box as high as its text. Not every browser has CSS `field-sizing` yet. */
export function fitHeight(box) {
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}

// `draft` is the message as it was typed, with the space around it, if nothing was typed since.
function putBefore(typed, message, draft) {
  if (typed.trimStart().startsWith(message)) return typed;
  const whole = draft?.trim() === message ? draft : message;
  return typed ? `${whole}\n${typed}` : whole;
}

function draftOf(owner) {
  return `draft.${owner}`;
}
