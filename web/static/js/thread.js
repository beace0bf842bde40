/** The messages of one conversation, in order, along the line. */

import { byId } from './element.js';
import { createQuestion, pointOut, setSequence } from './message.js';
import { Reply } from './reply.js';
import { Scrolling } from './scrolling.js';

const LOAD_AHEAD = '300px 0px 0px';

export class Thread {
  #list = byId('messages');
  #older = byId('older');
  #frame = byId('thread');
  #on;
  #scrolling;
  #loading = null;

  /**
   * `on.older(before)` resolves to a page of the API's messages, `on.trace(sequence)` to what a
   * reply was given, `on.retry(sequence)` asks for another try of the last reply, and
   * `on.failed(error)` is told what went wrong.
   */
  constructor(on) {
    this.#on = on;
    const toNewest = byId('to-newest');
    const scroller = byId('scroller');
    this.#scrolling = new Scrolling(scroller, this.#frame, (isFollowing) => {
      toNewest.hidden = isFollowing;
    });
    toNewest.addEventListener('click', () => this.#scrolling.toEnd());
    const whenNear = ([entry]) => entry.isIntersecting && this.#extend();
    new IntersectionObserver(whenNear, { root: scroller, rootMargin: LOAD_AHEAD }).observe(this.#older);
  }

  get lastSequence() {
    return Number(this.#list.lastElementChild?.dataset.sequence ?? -1);
  }

  find(sequence) {
    return this.#list.querySelector(`[data-sequence="${sequence}"]`);
  }

  show({ messages, has_more: hasMore }) {
    this.#list.replaceChildren(...messages.map((message) => this.#build(message)));
    this.#older.hidden = !hasMore;
    this.#frame.hidden = !messages.length;
    this.#scrolling.toEnd();
  }

  addQuestion(message) {
    const element = createQuestion(message);
    this.#append(element);
    return element;
  }

  /** The server has said which number the newest question has. */
  numberQuestion(sequence) {
    const newest = [...this.#list.querySelectorAll('.is-user')].at(-1);
    if (newest) setSequence(newest, sequence);
  }

  /** Puts a reply at the end, in the place of the one that is tried again. */
  addReply(message, instead = null) {
    const reply = new Reply(message, this.#on);
    instead?.remove();
    this.#append(reply.element);
    return reply;
  }

  /** Loads what is missing, then brings the message into view. */
  async reveal(sequence) {
    this.#scrolling.stopFollowing();
    while (!this.find(sequence) && (await this.#extend()));
    const element = this.find(sequence);
    if (element) pointOut(element);
  }

  #append(element) {
    this.#frame.hidden = false;
    this.#list.append(element);
    this.#scrolling.toEnd();
  }

  #build(message) {
    if (message.role === 'user') return createQuestion(message);
    return new Reply(message, this.#on).element;
  }

  // One page at a time, whoever asks. Resolves to whether older messages came.
  #extend() {
    this.#loading ??= this.#fetchOlder().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  async #fetchOlder() {
    const first = this.#list.firstElementChild;
    if (this.#older.hidden || !first) return false;
    try {
      const page = await this.#on.older(Number(first.dataset.sequence));
      const isStillOpen = this.#list.firstElementChild === first;
      if (isStillOpen) this.#scrolling.hold(() => this.#prepend(page));
      return isStillOpen && page.messages.length > 0;
    } catch (error) {
      this.#on.failed(error);
      return false;
    }
  }

  #prepend({ messages, has_more: hasMore }) {
    this.#list.prepend(...messages.map((message) => this.#build(message)));
    this.#older.hidden = !hasMore;
  }
}
