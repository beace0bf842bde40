/** The messages of one conversation, in order, along the line. */

import { byId } from './element.js';
import { isAbort } from './errors.js';
import { deletedMessage, pointOut, setSequence } from './message.js';
import { Question } from './question.js';
import { Reply } from './reply.js';
import { Scrolling } from './scrolling.js';

const LOAD_AHEAD_PX = 600;
const MOST_SHOWN = 300; // the page stays quick however long a reader scrolls

export class Thread {
  #list = byId('messages');
  #older = byId('older'); // stands where older messages are missing
  #newer = byId('newer');
  #frame = byId('thread');
  #on;
  #scrolling;
  #loading = null;
  #questions = new WeakMap(); // by element
  #replies = new WeakMap(); // by element
  #sight;

  /**
   * `on.older(before)` and `on.newer(after)` resolve to a page of the API's messages,
   * `on.openAt(sequence)` shows those around one, or the newest for null, `on.reached(message)`
   * takes over a reply that is being written, `on.trace(sequence)` resolves to what a
   * reply was given, `on.retry(sequence)` asks for another try of the last reply,
   * `on.goOn(sequence)` for the rest of it,
   * `on.erase(sequence, role)` deletes a message,
   * `on.edit(sequence, text)` puts the last question in other words, and `on.failed(error)` is
   * told what went wrong.
   */
  constructor(on) {
    this.#on = on;
    const toNewest = byId('to-newest');
    const scroller = byId('scroller');
    this.#scrolling = new Scrolling(scroller, this.#frame, {
      onChange: (isFollowing) => {
        toNewest.hidden = isFollowing;
      },
      hasNewer: () => this.hasNewer,
    });
    toNewest.addEventListener('click', () => this.#toNewest());
    const whenNear = (entries) => entries.some((entry) => entry.isIntersecting) && this.#extend();
    this.#sight = new IntersectionObserver(whenNear, { root: scroller, rootMargin: `${LOAD_AHEAD_PX}px 0px` });
    this.#look();
  }

  /** Whether the conversation goes on after what is shown. */
  get hasNewer() {
    return !this.#newer.hidden;
  }

  get lastSequence() {
    return Number(this.#list.lastElementChild?.dataset.sequence ?? -1);
  }

  find(sequence) {
    return this.#list.querySelector(`[data-sequence="${sequence}"]`);
  }

  show({ messages, has_more: hasMore, has_newer: hasNewer = false }) {
    this.#list.replaceChildren(...messages.map((message) => this.#build(message)));
    this.#older.hidden = !hasMore;
    this.#newer.hidden = !hasNewer;
    this.#frame.hidden = !messages.length;
    if (hasNewer) this.#scrolling.stopFollowing();
    else this.#scrolling.toEnd();
  }

  /** Puts a question at the end, in the place of the one that is put in other words. */
  addQuestion(message, instead = null) {
    const element = this.#build(message);
    instead?.remove();
    this.#append(element);
    return element;
  }

  /** Opens the newest question to be edited, with its own or other words; false without one. */
  editNewest(text = undefined) {
    if (this.hasNewer) return false;
    const question = this.#questions.get(this.#newestQuestion());
    question?.edit(text);
    return Boolean(question);
  }

  get newestText() {
    return this.#questions.get(this.#newestQuestion())?.text ?? null;
  }

  /** The server has said which number the newest question has. */
  numberQuestion(sequence) {
    const newest = this.#newestQuestion();
    if (newest) setSequence(newest, sequence);
  }

  /** Puts a reply at the end, in the place of the one that is tried again. */
  addReply(message, instead = null) {
    const element = this.#build(message);
    instead?.remove();
    this.#append(element);
    return this.#replies.get(element);
  }

  replyAt(sequence) {
    return this.#replies.get(this.find(sequence));
  }

  /** These messages were deleted. */
  empty(sequences) {
    for (const sequence of sequences) {
      const element = this.find(sequence);
      const role = sequence % 2 ? 'assistant' : 'user';
      const createdAt = element?.querySelector('time')?.dateTime;
      element?.replaceWith(deletedMessage({ role, sequence_number: sequence, created_at: createdAt }));
    }
  }

  /** Elements that were replaced stand at the end again. */
  putBack(elements) {
    this.#list.append(...elements);
  }

  /** Brings a message into view, with those around it when it was not loaded. */
  async reveal(sequence) {
    this.#scrolling.stopFollowing();
    if (!this.find(sequence)) await this.#on.openAt(sequence);
    const element = this.find(sequence);
    if (element) pointOut(element);
  }

  #append(element) {
    this.#frame.hidden = false;
    this.#list.append(element);
    this.#scrolling.toEnd();
  }

  #build(message) {
    if (message.deleted) return deletedMessage(message);
    if (message.role !== 'user') return keepBy(this.#replies, new Reply(message, this.#on));
    return keepBy(this.#questions, new Question(message, this.#on));
  }

  #newestQuestion() {
    return [...this.#list.querySelectorAll('.is-user')].at(-1);
  }

  #toNewest() {
    if (this.hasNewer) this.#on.openAt(null);
    else this.#scrolling.toEnd();
  }

  // One page at a time.
  #extend() {
    this.#loading ??= this.#fetch().finally(() => {
      this.#loading = null;
      this.#look();
    });
  }

  // An end that is in sight still, after a page has come, is told anew.
  #look() {
    this.#sight.disconnect();
    for (const end of [this.#older, this.#newer]) this.#sight.observe(end);
  }

  async #fetch() {
    const [first, last] = [this.#list.firstElementChild, this.#list.lastElementChild];
    if (!first) return;
    const isOlder = isNear(this.#older);
    try {
      const page = isOlder
        ? await this.#on.older(Number(first.dataset.sequence))
        : await this.#on.newer(Number(last.dataset.sequence));
      if (this.#list.firstElementChild !== first) return; // another conversation by now
      if (isOlder) this.#prepend(page);
      else this.#extendEnd(page);
    } catch (error) {
      if (!isAbort(error)) this.#on.failed(error);
    }
  }

  #prepend({ messages, has_more: hasMore }) {
    this.#scrolling.hold(() => {
      this.#list.prepend(...messages.map((message) => this.#build(message)));
      this.#older.hidden = !hasMore;
    });
    if (this.#list.querySelector('[data-status="streaming"]')) return; // it is not let go of
    this.#trim(() => this.#list.lastElementChild, this.#newer);
  }

  #extendEnd({ messages, has_newer: hasNewer, open }) {
    this.#list.append(...messages.map((message) => this.#build(message)));
    this.#newer.hidden = !hasNewer;
    this.#scrolling.hold(() => this.#trim(() => this.#list.firstElementChild, this.#older));
    if (open) this.#on.reached(open);
  }

  #trim(nextToGo, end) {
    if (this.#list.children.length <= MOST_SHOWN) return;
    while (this.#list.children.length > MOST_SHOWN) nextToGo().remove();
    end.hidden = false;
  }
}

function keepBy(kept, shown) {
  kept.set(shown.element, shown);
  return shown.element;
}

// Where the reader's eyes are: the end that is missing there comes first.
function isNear(end) {
  return !end.hidden && end.getBoundingClientRect().bottom > -LOAD_AHEAD_PX;
}
