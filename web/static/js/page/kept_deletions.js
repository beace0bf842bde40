/**
 * Deletions that the server may not know of yet. They are in the browser's storage: the last request
 * of a page that is left can be lost, and then the next page carries it out.
 */

import { listStored, readStored, store, watchStored } from './storage.js';

const UNDONE = 'undone'; // stored for an instant, so that other tabs know why the entry goes

export class KeptDeletions {
  #beginning;

  /** `beginning` is what the names of the entries begin with: see `isDeletion`. */
  constructor(beginning) {
    this.#beginning = beginning;
  }

  /** `dueAt` in milliseconds: until then the reader may undo it. `choices` are arguments of the request. */
  keep(id, dueAt, choices) {
    store(this.#beginning + id, choices ? `${dueAt} ${choices}` : String(dueAt));
  }

  drop(id) {
    store(this.#beginning + id, '');
  }

  dropUndone(id) {
    store(this.#beginning + id, UNDONE);
    this.drop(id);
  }

  /** {dueAt, choices}; null when the deletion is not kept any more, or undone. */
  find(id) {
    const value = readStored(this.#beginning + id);
    if (value === null || value === UNDONE) return null;
    const [dueAt, choices = ''] = value.split(' ');
    return { dueAt: Number(dueAt) || 0, choices };
  }

  list() {
    const ids = listStored(this.#beginning).map((name) => this.#idOf(name));
    return ids.filter((id) => this.find(id) !== null);
  }

  /**
   * Tells what another tab has done: `onKept()` when it has begun a deletion or put one off,
   * `onUndone(id)`, or `onDropped(id)` after the server deleted it.
   */
  watch({ onKept, onUndone, onDropped }) {
    watchStored((name, value) => {
      if (!name.startsWith(this.#beginning)) return;
      if (value === UNDONE) onUndone(this.#idOf(name));
      else if (value === null) onDropped(this.#idOf(name));
      else onKept();
    });
  }

  #idOf(name) {
    return name.slice(this.#beginning.length);
  }
}
