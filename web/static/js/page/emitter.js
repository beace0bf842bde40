/** An object that tells others what happens to it. */

export class Emitter extends EventTarget {
  /** Calls `listen(detail)` for each event of this name, after those that have listened before. */
  on(name, listen) {
    this.addEventListener(name, ({ detail }) => listen(detail));
  }

  emit(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
