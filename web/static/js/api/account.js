/**
 * Whose page this is. Who used this browser may sign out, or another user sign in, while it is still
 * open: then it asks for nothing more, because the answers would be the other one's, and loads anew.
 */

import { clearStorage, closeStorage, isDeletion } from './stored_data.js';

const CURRENT = 'throughline/user'; // in the browser's storage: whose page was loaded last; '' is nobody

const user = document.body.dataset.user ?? ''; // of a site of one user: ''

/** What the names of everything begin with that the page keeps in the browser's storage. */
export const STORAGE_PREFIX = user ? `throughline/${encodeURIComponent(user)}/` : 'throughline.';

/** What others have left here is removed, but for deletions that they still want. */
function claimBrowser() {
  if (!user) return;
  if (!setCurrent(user)) return; // where nothing is stored, nobody's texts are
  clearStorage((name) => name === CURRENT || name.startsWith(STORAGE_PREFIX) || isDeletion(name));
  window.addEventListener('storage', ({ key }) => key === CURRENT && leaveIfAnothers());
  window.addEventListener('pageshow', ({ persisted }) => persisted && leaveIfAnothers());
}

/** Returns whether the page is left, because its user has signed out, or another one has signed in. */
export function leaveIfAnothers() {
  const isLeaving = Boolean(user) && (readCurrent() ?? user) !== user;
  if (isLeaving) {
    closeStorage((name) => !name.startsWith(STORAGE_PREFIX) || isDeletion(name));
    window.location.reload();
  }
  return isLeaving;
}

/** Nothing is kept of whoever has signed out here. Their pages in other tabs are left. */
export function releaseBrowser() {
  if (setCurrent('')) clearStorage((name) => name === CURRENT || isDeletion(name));
}

function setCurrent(value) {
  try {
    localStorage.setItem(CURRENT, value);
    return true;
  } catch {
    return false;
  }
}

function readCurrent() {
  try {
    return localStorage.getItem(CURRENT);
  } catch {
    return null;
  }
}

claimBrowser();
