/** The messages of the open chat, in order. More are loaded as the reader scrolls. */

import { getTrace } from '../../api/chat.js';
import { isAbort } from '../../api/errors.js';
import { byId } from '../../page/element.js';
import { Emitter } from '../../page/emitter.js';
import { notifyError } from '../../page/failures.js';
import { Reply } from '../replies/reply.js';
import { ReplyChanges } from '../replies/reply_changes.js';
import { AutoScroll } from './auto_scroll.js';
import { createDeletedMessage, highlightMessage, setSequence, showAsDeleted } from './message.js';
import { readNewer, readOlder } from './message_pages.js';
import { ThreadEnds } from './thread_ends.js';
import { UserMessage } from './user_message.js';

const MAX_SHOWN = 300; // keeps the page fast, however far the reader scrolls

export class Thread extends Emitter {
  #list = byId('messages');
  #frame = byId('thread');
  #chat;
  #actions; // of the reader, at a message
  #scroll;
  #ends;
  #forks = []; // of the API
  #userMessages = new WeakMap(); // by element
  #replies = new WeakMap(); // by element

  /**
   * `on.retry(sequence)` asks for another reply in place of one, and `on.goOn(sequence)` for the rest of
   * the newest. `on.edit(sequence, text)` changes a user message.
   *
   * A `drawn` event has each new element of a user message.
   */
  constructor(chat, on) {
    super();
    this.#chat = chat;
    this.#actions = this.#createActions(on);
    const toNewest = byId('to-newest');
    const scroller = byId('scroller');
    this.#scroll = new AutoScroll(scroller, this.#frame, {
      onChange: (isFollowing) => toNewest.toggleAttribute('hidden', isFollowing),
      hasNewer: () => this.hasNewer,
    });
    this.#ends = new ThreadEnds(scroller, (end) => this.#loadPage(end));
    toNewest.addEventListener('click', () => this.#showNewest());
    chat.on('shown', ({ page }) => page && this.#show(page));
    document.addEventListener('erased', ({ detail }) => this.#markDeleted(detail));
  }

  /** Whether the conversation has newer messages than those that are loaded. */
  get hasNewer() {
    return this.#ends.hasNewer;
  }

  get lastSequence() {
    return this.lastBefore(Infinity);
  }

  /** The text of the newest user message, or null. */
  get newestText() {
    return this.#newestUserMessage?.text ?? null;
  }

  find(sequence) {
    return this.#list.querySelector(`[data-sequence="${sequence}"]`);
  }

  /** The files of a user message. */
  filesAt(sequence) {
    return this.#userMessages.get(this.find(sequence))?.files ?? [];
  }

  replyAt(sequence) {
    return this.#replies.get(this.find(sequence));
  }

  /** Whether a reply is the newest of the conversation. */
  isNewest(sequence) {
    return !this.hasNewer && this.lastSequence === sequence;
  }

  /** `forks` are the API's: the messages that a branch has in other words. */
  #show({ messages, has_more: hasMore, has_newer: hasNewer = false, forks = [] }) {
    this.#forks = forks;
    this.#list.replaceChildren(...messages.map((message) => this.#create(message)));
    this.#ends.hasOlder = hasMore;
    this.#ends.hasNewer = hasNewer;
    this.#frame.hidden = !messages.length;
    if (hasNewer) this.#scroll.stopFollowing();
    else this.#scroll.toEnd();
  }

  /** Shows where branches part from the conversation. */
  showForks(forks) {
    this.#forks = forks;
    for (const fork of forks) this.#userMessages.get(this.find(fork.sequence))?.showFork(fork);
  }

  remove(...elements) {
    for (const element of elements) element.remove();
  }

  /** Removes a message and all after it. Returns what adds them at the end again. */
  cutFrom(sequence) {
    const { hasNewer } = this;
    const shown = [...this.#list.children];
    const cut = shown.slice(shown.indexOf(this.find(sequence)));
    this.remove(...cut);
    this.#ends.hasNewer = false;
    return () => {
      this.restore(cut);
      this.#ends.hasNewer = hasNewer;
    };
  }

  /** Adds a user message at the end, and removes the element that it replaces. */
  addUserMessage(message, replaced = null) {
    const element = this.#create(message);
    replaced?.remove();
    this.#append(element);
    return element;
  }

  /**
   * Adds a reply at the end, and removes the element that it replaces. `jumps`: the end is shown,
   * wherever the reader is.
   */
  addReply(message, replaced = null, { jumps = true } = {}) {
    const element = this.#create(message);
    replaced?.remove();
    if (jumps) this.#append(element);
    else this.#list.append(element);
    return this.#replies.get(element);
  }

  /** Shows messages as the API has them now, where they belong. The reader's place stays. */
  update(messages) {
    for (const message of messages) this.#update(message);
    this.#frame.hidden = !this.#list.children.length;
  }

  /** Sets the number that the server has given to the newest user message. */
  numberUserMessage(sequence) {
    const newest = this.#newestUserMessage;
    if (newest) setSequence(newest.element, sequence);
  }

  /** Opens the newest user message to be edited. Returns whether there is one. */
  editNewest(text = undefined) {
    if (this.hasNewer) return false;
    const newest = this.#newestUserMessage;
    newest?.edit(text);
    return newest !== undefined;
  }

  /** Opens a user message to be edited, with `text` in the form. */
  editAt(sequence, text) {
    this.#userMessages.get(this.find(sequence))?.edit(text);
  }

  /** Shows messages, the API's, as deleted. What was thought after them is gone, too. */
  #markDeleted(messages) {
    const here = messages.filter((message) => message.conversation_id === this.#chat.id);
    for (const { sequence_number: sequence } of here) showAsDeleted(this.find(sequence));
    for (const element of this.#list.children) this.#replies.get(element)?.forgetReasoning();
  }

  /** Adds elements at the end again that had been replaced. */
  restore(elements) {
    this.#list.append(...elements);
  }

  /** Changes something at the end of a message, without moving what the reader sees. */
  keepPlace(element, change) {
    this.#scroll.keepPlace(element, change);
  }

  /** Scrolls to a message. One that is not loaded is loaded with those around it. */
  async reveal(sequence) {
    this.#scroll.stopFollowing();
    if (!this.find(sequence)) await this.#chat.openAt(sequence);
    const element = this.find(sequence);
    if (element) highlightMessage(element);
  }

  /** The number of the last message before `sequence` that is shown; -1 if there is none. */
  lastBefore(sequence) {
    const shown = [...this.#list.children].map((element) => Number(element.dataset.sequence));
    return Math.max(-1, ...shown.filter((number) => number < sequence));
  }

  get #newestUserMessage() {
    return this.#userMessages.get([...this.#list.querySelectorAll('.is-user')].at(-1));
  }

  #update(message) {
    const shown = this.find(message.sequence_number);
    if (!shown) this.#insert(message);
    else if (message.deleted !== shown.classList.contains('is-deleted')) shown.replaceWith(this.#create(message));
    else if (message.role === 'assistant') this.#replies.get(shown)?.update(message);
    else if (!message.deleted && this.#userMessages.get(shown).text !== message.content) shown.replaceWith(this.#create(message));
  }

  // Before the first that is loaded, it is loaded as the reader scrolls.
  #insert(message) {
    const { sequence_number: sequence } = message;
    const next = [...this.#list.children].find((element) => Number(element.dataset.sequence) > sequence) ?? null;
    if (next && next === this.#list.firstElementChild) return;
    this.#list.insertBefore(this.#create(message), next);
  }

  #append(element) {
    this.#frame.hidden = false;
    this.#list.append(element);
    this.#scroll.toEnd();
  }

  /** The element of a new message. */
  #create(message) {
    if (message.deleted) return createDeletedMessage(message);
    if (message.role === 'user') {
      const userMessage = new UserMessage(message, this.#actions);
      this.#userMessages.set(userMessage.element, userMessage);
      const fork = this.#forks.find(({ sequence }) => sequence === message.sequence_number);
      if (fork) userMessage.showFork(fork);
      this.emit('drawn', userMessage.element);
      return userMessage.element;
    }
    const reply = new Reply(message, this.#actions);
    this.#replies.set(reply.element, reply);
    return reply.element;
  }

  #showNewest() {
    if (this.hasNewer) this.#chat.openAt(null);
    else this.#scroll.toEnd();
  }

  async #loadPage({ isOlder }) {
    const first = this.#list.firstElementChild;
    const last = this.#list.lastElementChild;
    if (!first) return;
    try {
      const page = isOlder
        ? await readOlder(this.#chat, Number(first.dataset.sequence))
        : await readNewer(this.#chat, Number(last.dataset.sequence));
      if (this.#list.firstElementChild !== first) return; // another conversation is open by now
      if (isOlder) this.#addOlder(page);
      else this.#addNewer(page);
    } catch (error) {
      if (!isAbort(error)) notifyError(error);
    }
  }

  // A reply that is being written is never removed.
  #addOlder({ messages, has_more: hasMore }) {
    this.#scroll.keepPosition(() => {
      this.#list.prepend(...messages.map((message) => this.#create(message)));
      this.#ends.hasOlder = hasMore;
    });
    if (this.#list.querySelector('[data-status="streaming"]')) return;
    if (this.#trim(() => this.#list.lastElementChild)) this.#ends.hasNewer = true;
  }

  #addNewer({ messages, has_newer: hasNewer, open }) {
    this.#list.append(...messages.map((message) => this.#create(message)));
    this.#ends.hasNewer = hasNewer;
    this.#scroll.keepPosition(() => {
      if (this.#trim(() => this.#list.firstElementChild)) this.#ends.hasOlder = true;
    });
    if (open) this.#chat.emit('unfinished', open);
  }

  /** Returns whether there were too many. */
  #trim(nextToRemove) {
    const isFull = this.#list.children.length > MAX_SHOWN;
    while (this.#list.children.length > MAX_SHOWN) nextToRemove().remove();
    return isFull;
  }

  #createActions(on) {
    const changes = new ReplyChanges(this.#chat, this);
    return {
      ...on,
      startsBranch: (sequence) => !this.isNewest(sequence + 1),
      erase: (sequence, role) => eraseMessage(this.#chat.id, sequence, role).catch(notifyError),
      trace: (sequence) => getTrace(this.#chat.id, sequence, this.#chat.signal),
      rate: (sequence, rating) => changes.rate(sequence, rating),
      turn: (sequence, variant) => changes.turn(sequence, variant),
    };
  }
}

/** Asks before a message or its round is deleted; see there. */
async function eraseMessage(...message) {
  const { openErasure } = await import('./message_erasure.js');
  await openErasure(...message);
}
