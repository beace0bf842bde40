/** Small values in the browser's storage. When storage is full or forbidden, nothing is stored. */

const PREFIX = 'throughline.';

export function readStored(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** An empty value removes the entry. */
export function store(name, value) {
  try {
    if (value) localStorage.setItem(PREFIX + name, value);
    else localStorage.removeItem(PREFIX + name);
  } catch {
    // The page works without storage.
  }
}

/** Removes everything that the page stored, including drafts. */
export function clearStorage() {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    for (const name of names) localStorage.removeItem(name);
  } catch {
    // Nothing was stored.
  }
}
