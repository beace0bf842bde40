/** Small things kept in this browser. Storage may be full or forbidden: then they are not kept. */

const PREFIX = 'throughline.';

export function recallKept(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** An empty or missing value is forgotten. */
export function keep(name, value) {
  try {
    if (value) localStorage.setItem(PREFIX + name, value);
    else localStorage.removeItem(PREFIX + name);
  } catch {
    // The page works without.
  }
}

/** Everything that was kept, drafts as well. */
export function forgetKept() {
  try {
    const own = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    own.forEach((name) => localStorage.removeItem(name));
  } catch {
    // Then there is nothing to forget.
  }
}
