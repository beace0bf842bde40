/** Reads again what has changed: what changes together in one go, and one go after the other. */

import { coalesce } from './coalescing.js';

const RETRY_MS = 5000; // after what could not be read

export class Refresher {
  #read;
  #nextLook;
  #changed = new Set(); // kinds that are to be read
  #reading = null; // resolves at the end of what is being read
  #readSoon = coalesce(() => this.#readChanged());
  #timer = null; // until the next look
  #isOn = false;

  /**
   * `read(kinds)` reads what has changed of these kinds, a set, and resolves to whether it was read. Otherwise they
   * are read with the next change, or after a while. `nextLook()` is {kinds, afterMs}: what may change without being told, or null.
   */
  constructor(read, nextLook) {
    this.#read = read;
    this.#nextLook = nextLook;
  }

  start() {
    this.#isOn = true;
  }

  /** Changes are noted until it is started again. */
  stop() {
    this.#isOn = false;
    clearTimeout(this.#timer);
  }

  /** Reads these kinds now. Resolves when they are read, or could not be. */
  async refresh(kinds) {
    this.#note(kinds);
    await this.#readChanged();
  }

  /** Reads these kinds in a moment, with others that change until then. */
  refreshSoon(kinds) {
    this.#note(kinds);
    if (this.#isOn) this.#readSoon();
  }

  #note(kinds) {
    for (const kind of kinds) this.#changed.add(kind);
  }

  async #readChanged() {
    await null; // for what changes in the same moment
    while (this.#reading) await this.#reading;
    if (!this.#isOn || document.hidden || !this.#changed.size) return;
    this.#reading = this.#readOnce();
    await this.#reading;
  }

  async #readOnce() {
    const kinds = this.#changed;
    this.#changed = new Set();
    const isRead = await this.#read(kinds);
    if (!isRead) this.#note(kinds);
    this.#reading = null;
    this.#planLook(isRead ? this.#nextLook() : { kinds: [], afterMs: RETRY_MS });
  }

  #planLook(look) {
    clearTimeout(this.#timer);
    if (look && this.#isOn) this.#timer = setTimeout(() => this.refresh(look.kinds), look.afterMs);
  }
}
