/**
 * Deletions that the server may not know of yet. They are in the browser's storage: the last request
 * of a page that is left can be lost, and then the next page carries it out.
 */

import { listStored, readStored, store, watchStored } from '../page/storage.js';

const BEGINNING = 'deleting.';
const UNDONE = 'undone'; // stored for an instant, so that other tabs know why the entry goes

/** `dueAt` in milliseconds: until then the reader may undo it. */
export function keepDeletion(id, dueAt) {
  store(BEGINNING + id, String(dueAt));
}

export function dropDeletion(id) {
  store(BEGINNING + id, '');
}

export function dropUndone(id) {
  store(BEGINNING + id, UNDONE);
  dropDeletion(id);
}

/** When the deletion is due; null when it is not kept any more, or undone. */
export function findDueAt(id) {
  const value = readStored(BEGINNING + id);
  return value === null || value === UNDONE ? null : Number(value) || 0;
}

export function listDeletions() {
  return listStored(BEGINNING).map(idOf).filter((id) => findDueAt(id) !== null);
}

/**
 * Tells what another tab has done: `onKept()` when it has begun a deletion or put one off,
 * `onUndone(id)`, or `onDropped(id)` after the server deleted it.
 */
export function watchDeletions({ onKept, onUndone, onDropped }) {
  watchStored((name, value) => {
    if (!name.startsWith(BEGINNING)) return;
    if (value === UNDONE) onUndone(idOf(name));
    else if (value === null) onDropped(idOf(name));
    else onKept();
  });
}

function idOf(name) {
  return name.slice(BEGINNING.length);
}
