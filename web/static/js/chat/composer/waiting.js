/**
 * Messages that wait, in the browser's storage, by owner: a conversation's id, or `new-…` for the new
 * chat of one tab, whose options no other tab knows. Each is {message, files, key, isOffline,
 * since}: whether it waits for a connection or for a reply, and since when, in milliseconds.
 */

import { STORAGE_PREFIX } from '../../api/account.js';
import { listStored, readStored, store } from '../../page/storage.js';

const BEGINNING = 'queued.';
const NEW_CHAT = 'new';
const LATE_MS = 600_000; // after that the reader may not mean it any more
const TAB = `${STORAGE_PREFIX}tab`;

let tab = null;

/** The owner of what waits in this tab's new chat, also after a reload. */
export function newChatOf() {
  tab ??= readTab();
  return `${NEW_CHAT}-${tab}`;
}

export function isNewChat(owner) {
  return owner.startsWith(NEW_CHAT);
}

/** A name for one sending. `crypto.randomUUID` is there on sites with TLS only. */
export function createKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function listWaiting() {
  return listStored(BEGINNING).map((name) => name.slice(BEGINNING.length));
}

/** null if nothing waits. */
export function readWaiting(owner) {
  const stored = readStored(BEGINNING + owner);
  return stored && parse(stored);
}

/** null removes it. Returns whether the storage has taken it. */
export function writeWaiting(owner, waiting) {
  const text = waiting ? JSON.stringify(waiting) : '';
  store(BEGINNING + owner, text);
  return (readStored(BEGINNING + owner) ?? '') === text;
}

export function isLate({ since }) {
  return Date.now() - since > LATE_MS;
}

// Earlier versions stored the text alone.
function parse(stored) {
  try {
    const waiting = JSON.parse(stored);
    if (waiting.message) return waiting;
  } catch {
    // It is a text.
  }
  return { message: stored, files: [], key: null, isOffline: false, since: 0 };
}

function readTab() {
  try {
    sessionStorage.setItem(TAB, sessionStorage.getItem(TAB) ?? createKey());
    return sessionStorage.getItem(TAB);
  } catch {
    return createKey();
  }
}
