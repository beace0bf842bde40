/** Asks again while there is something to wait for and somebody to see it. */

const EVERY_MS = 1500;
const LOOKS_AFTER_WAKE = 2; // work that has just been caused may not have been written down yet

export class Polling {
  #look;
  #everyMs;
  #timer = null;
  #isOn = false;
  #looksLeft = 0;
  #run = 0; // the newest chain of looks; older ones end by themselves

  /** `look()` resolves to whether anything is still in progress. */
  constructor(look, { everyMs = EVERY_MS } = {}) {
    this.#look = look;
    this.#everyMs = everyMs;
    document.addEventListener('visibilitychange', () => !document.hidden && this.wake());
  }

  start() {
    this.#isOn = true;
    this.wake();
  }

  stop() {
    this.#isOn = false;
    this.#run += 1;
    clearTimeout(this.#timer);
  }

  /** Looks now, and goes on for as long as there is something to wait for. */
  wake() {
    if (!this.#isOn) return;
    clearTimeout(this.#timer);
    this.#looksLeft = LOOKS_AFTER_WAKE;
    this.#next(++this.#run);
  }

  async #next(run) {
    if (document.hidden) return;
    const isBusy = await this.#look();
    const goesOn = isBusy || this.#looksLeft-- > 0;
    if (run === this.#run && goesOn) this.#timer = setTimeout(() => this.#next(run), this.#everyMs);
  }
}
