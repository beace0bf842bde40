/**
 * Small values in the browser's storage, of one user. When storage is full or forbidden, nothing is
 * stored.
 */

import { STORAGE_PREFIX as PREFIX } from '../api/account.js';
import { isStorageClosed } from '../api/stored_data.js';

export function readStored(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** An empty value removes the entry. */
export function store(name, value) {
  if (isStorageClosed()) return;
  try {
    if (value) localStorage.setItem(PREFIX + name, value);
    else localStorage.removeItem(PREFIX + name);
  } catch {
    // The page works without storage.
  }
}

/** The names with this beginning. */
export function listStored(beginning) {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX + beginning));
    return names.map((name) => name.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Calls `onChange(name, value)` when another tab has stored a value, or removed one (null). */
export function watchStored(onChange) {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX)) onChange(key.slice(PREFIX.length), newValue);
  });
}
