/** The messages of the open conversation, in order. More are loaded as the reader scrolls. */

import { isAbort } from '../../api/errors.js';
import { byId } from '../../page/element.js';
import { Reply } from '../replies/reply.js';
import { AutoScroll } from './auto_scroll.js';
import { createDeletedMessage, highlightMessage, setSequence, showAsDeleted } from './message.js';
import { UserMessage } from './user_message.js';

const LOAD_AHEAD_PX = 600;
const MAX_SHOWN = 300; // keeps the page fast, however far the reader scrolls

export class Thread {
  #list = byId('messages');
  #older = byId('older'); // visible while older messages are not loaded
  #newer = byId('newer');
  #frame = byId('thread');
  #on;
  #scroll;
  #isLoading = false;
  #forks = []; // of the API
  #userMessages = new WeakMap(); // by element
  #replies = new WeakMap(); // by element
  #endObserver;

  /**
   * `on.older(before)` and `on.newer(after)` resolve to a page of the API's messages.
   * `on.openAt(sequence)` shows the messages around one, or the newest for null.
   * `on.reached(message)` follows a reply that is still being written. `on.edit(sequence, text)` changes the newest user message.
   * `on.drawn(element)` is told of each new element of a user message.
   * `on.failed(error)` is told why messages could not be loaded.
   * `on.retry`, `on.goOn`, `on.erase`, `on.trace`, `on.rate` and `on.turn` are those of `Reply`.
   */
  constructor(on) {
    this.#on = on;
    const toNewest = byId('to-newest');
    const scroller = byId('scroller');
    this.#scroll = new AutoScroll(scroller, this.#frame, {
      onChange: (isFollowing) => {
        toNewest.hidden = isFollowing;
      },
      hasNewer: () => this.hasNewer,
    });
    toNewest.addEventListener('click', () => this.#showNewest());
    const loadIfNear = (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.#loadMore();
    };
    this.#endObserver = new IntersectionObserver(loadIfNear, { root: scroller, rootMargin: `${LOAD_AHEAD_PX}px 0px` });
    this.#observeEnds();
  }

  /** Whether the conversation has newer messages than those that are loaded. */
  get hasNewer() {
    return !this.#newer.hidden;
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
  show({ messages, has_more: hasMore, has_newer: hasNewer = false, forks = [] }) {
    this.#forks = forks;
    this.#list.replaceChildren(...messages.map((message) => this.#create(message)));
    this.#older.hidden = !hasMore;
    this.#newer.hidden = !hasNewer;
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
    this.#newer.hidden = true;
    return () => {
      this.restore(cut);
      this.#newer.hidden = !hasNewer;
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

  /** Shows messages as deleted. What was thought after them is gone, too. */
  markDeleted(sequences) {
    for (const sequence of sequences) showAsDeleted(this.find(sequence));
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
    if (!this.find(sequence)) await this.#on.openAt(sequence);
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
      const userMessage = new UserMessage(message, { ...this.#on, startsBranch: (sequence) => !this.isNewest(sequence + 1) });
      this.#userMessages.set(userMessage.element, userMessage);
      const fork = this.#forks.find(({ sequence }) => sequence === message.sequence_number);
      if (fork) userMessage.showFork(fork);
      this.#on.drawn(userMessage.element);
      return userMessage.element;
    }
    const reply = new Reply(message, this.#on);
    this.#replies.set(reply.element, reply);
    return reply.element;
  }

  #showNewest() {
    if (this.hasNewer) this.#on.openAt(null);
    else this.#scroll.toEnd();
  }

  // Loads one page at a time.
  #loadMore() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#loadPage().finally(() => {
      this.#isLoading = false;
      this.#observeEnds();
    });
  }

  // Observing again reports an end that is still in view after a page was loaded.
  #observeEnds() {
    this.#endObserver.disconnect();
    for (const end of [this.#older, this.#newer]) this.#endObserver.observe(end);
  }

  async #loadPage() {
    const first = this.#list.firstElementChild;
    const last = this.#list.lastElementChild;
    if (!first) return;
    const isOlder = isNear(this.#older);
    try {
      const page = isOlder
        ? await this.#on.older(Number(first.dataset.sequence))
        : await this.#on.newer(Number(last.dataset.sequence));
      if (this.#list.firstElementChild !== first) return; // another conversation is open by now
      if (isOlder) this.#addOlder(page);
      else this.#addNewer(page);
    } catch (error) {
      if (!isAbort(error)) this.#on.failed(error);
    }
  }

  // A reply that is being written is never removed.
  #addOlder({ messages, has_more: hasMore }) {
    this.#scroll.keepPosition(() => {
      this.#list.prepend(...messages.map((message) => this.#create(message)));
      this.#older.hidden = !hasMore;
    });
    if (this.#list.querySelector('[data-status="streaming"]')) return;
    this.#trim(() => this.#list.lastElementChild, this.#newer);
  }

  #addNewer({ messages, has_newer: hasNewer, open }) {
    this.#list.append(...messages.map((message) => this.#create(message)));
    this.#newer.hidden = !hasNewer;
    this.#scroll.keepPosition(() => this.#trim(() => this.#list.firstElementChild, this.#older));
    if (open) this.#on.reached(open);
  }

  #trim(nextToRemove, end) {
    if (this.#list.children.length <= MAX_SHOWN) return;
    while (this.#list.children.length > MAX_SHOWN) nextToRemove().remove();
    end.hidden = false;
  }
}

// When both ends are missing, the one that the reader sees is loaded first.
function isNear(end) {
  return !end.hidden && end.getBoundingClientRect().bottom > -LOAD_AHEAD_PX;
}
