/** Marks under the user's messages: what was just learned from them, and what they may mean. */

import { isAbort } from '../../api/errors.js';
import { listLessons } from '../../api/memory.js';
import { coalesce } from '../../page/coalescing.js';
import { notifyError } from '../../page/failures.js';

export class Lessons {
  #thread;
  #onChanged;
  #id = null; // of the open conversation
  #visit = new AbortController(); // cancels the requests for a conversation that the reader leaves
  #bySequence = new Map(); // what each message has taught
  #marks = null; // the module that draws them, once there is something to draw
  #requestCount = 0; // only the newest request's answer is shown
  #refreshSoon = coalesce(() => this.refresh({ announces: true }));
  #isNews = false; // whether a screen reader is told what comes

  /** `onChanged()` is called when the reader has changed facts. */
  constructor(chat, thread, onChanged) {
    this.#thread = thread;
    this.#onChanged = onChanged;
    chat.on('shown', () => this.#open(chat.id));
    chat.on('begun', () => this.#open(chat.id));
    chat.on('ended', () => this.refresh({ announces: true }));
    thread.on('drawn', (element) => this.#attach(element));
    document.addEventListener('erased', () => this.refresh());
  }

  /** Shows the marks of another conversation; null for a new chat. */
  #open(id) {
    if (id === this.#id) return;
    this.#id = id;
    this.#visit.abort();
    this.#visit = new AbortController();
    this.#bySequence.clear();
    this.#isNews = false;
    this.refresh();
  }

  /** Reads again what the messages have taught. With `announces`, a screen reader is told the news. */
  async refresh({ announces = false } = {}) {
    this.#isNews ||= announces;
    this.#requestCount += 1;
    try {
      if (this.#id) await this.#read(this.#requestCount);
    } catch (error) {
      if (!isAbort(error)) notifyError(error);
    }
  }

  /** `event` is one of the API's: what was learned from the open chat is read again. */
  note({ type, data }) {
    const isRead = type === 'job.changed' && data.kind === 'facts' && !data.running; // it may have forgotten something
    const isOwn = this.#id !== null && data.conversation_id === this.#id;
    if (isOwn && (isRead || type.startsWith('fact.'))) this.#refreshSoon();
  }

  async #read(number) {
    const lessons = await listLessons(this.#id, this.#visit.signal);
    if (lessons.facts.length || lessons.suggestions.length || lessons.withheld.length) this.#marks ??= await loadMarks();
    if (number === this.#requestCount && this.#marks) this.#show(lessons);
  }

  /** Shows the marks of a message whose element is new. */
  #attach(element) {
    const items = this.#bySequence.get(Number(element.dataset.sequence));
    if (items) this.#draw(element, items);
  }

  #show(lessons) {
    const before = this.#bySequence;
    this.#bySequence = this.#marks.groupLessons(lessons);
    if (this.#isNews) this.#marks.announceNew(before, this.#bySequence);
    this.#isNews = false;
    for (const sequence of new Set([...before.keys(), ...this.#bySequence.keys()])) {
      const element = this.#thread.find(sequence);
      if (element) this.#thread.keepPlace(element, () => this.#draw(element, this.#bySequence.get(sequence) ?? []));
    }
  }

  #draw(element, items) {
    const changed = () => {
      this.#onChanged();
      return this.refresh();
    };
    this.#marks.drawMarks(element, items, changed);
  }
}

async function loadMarks() {
  const { groupLessons, announceNew, drawMarks } = await import('./lesson_marks.js');
  return { groupLessons, announceNew, drawMarks };
}
