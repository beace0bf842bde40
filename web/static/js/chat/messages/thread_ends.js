/** The two ends of the loaded messages: near one, the reader gets the messages beyond it. */

import { byId } from '../../page/element.js';

const LOAD_AHEAD_PX = 600;

export class ThreadEnds {
  #older = byId('older'); // visible while older messages are not loaded
  #newer = byId('newer');
  #observer;
  #load;
  #isLoading = false;

  /** `load({isOlder})` loads a page of messages. */
  constructor(scroller, load) {
    this.#load = load;
    const loadIfNear = (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.#loadMore();
    };
    this.#observer = new IntersectionObserver(loadIfNear, { root: scroller, rootMargin: `${LOAD_AHEAD_PX}px 0px` });
    this.#observe();
  }

  get hasOlder() {
    return !this.#older.hidden;
  }

  set hasOlder(hasOlder) {
    this.#older.hidden = !hasOlder;
  }

  get hasNewer() {
    return !this.#newer.hidden;
  }

  set hasNewer(hasNewer) {
    this.#newer.hidden = !hasNewer;
  }

  // One page at a time. When both ends are missing, the one that the reader sees is loaded first.
  #loadMore() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const isOlder = this.hasOlder && this.#older.getBoundingClientRect().bottom > -LOAD_AHEAD_PX;
    this.#load({ isOlder }).finally(() => {
      this.#isLoading = false;
      this.#observe();
    });
  }

  // Observing again reports an end that is still in view after a page was loaded.
  #observe() {
    this.#observer.disconnect();
    for (const end of [this.#older, this.#newer]) this.#observer.observe(end);
  }
}
