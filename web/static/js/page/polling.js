/** Repeated requests for what changes on the server. */

const INTERVAL_MS = 1500;
const POLLS_AFTER_WAKE = 2; // a new job may not be in the database yet when the first poll comes

/** Polls while something is in progress and the page is visible. */
export class Polling {
  #poll;
  #intervalMs;
  #timer = null;
  #isOn = false;
  #pollsLeft = 0;
  #chain = 0; // number of the newest chain of polls; an older chain ends by itself

  /** `poll()` resolves to whether anything is still in progress. */
  constructor(poll, { intervalMs = INTERVAL_MS } = {}) {
    this.#poll = poll;
    this.#intervalMs = intervalMs;
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.wake();
    });
  }

  start() {
    this.#isOn = true;
    this.wake();
  }

  stop() {
    this.#isOn = false;
    this.#chain += 1;
    clearTimeout(this.#timer);
  }

  /** Polls at once, and goes on while something is in progress. */
  wake() {
    if (!this.#isOn) return;
    clearTimeout(this.#timer);
    this.#pollsLeft = POLLS_AFTER_WAKE;
    this.#chain += 1;
    this.#next(this.#chain);
  }

  async #next(chain) {
    if (document.hidden) return;
    const isBusy = await this.#poll();
    const goesOn = isBusy || this.#pollsLeft > 0;
    if (!isBusy) this.#pollsLeft -= 1;
    if (chain === this.#chain && goesOn) this.#timer = setTimeout(() => this.#next(chain), this.#intervalMs);
  }
}

/** Calls `isDone()` after each of the pauses, until it resolves to true. */
export async function pollUntil(isDone, pausesMs) {
  for (const pauseMs of pausesMs) {
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs);
    });
    if (await isDone()) return;
  }
}
