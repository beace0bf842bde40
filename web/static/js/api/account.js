/**
 * Whose page this is. Another user may sign in with the same browser while it is still open: then it
 * asks for nothing more, because the answers would be the other one's, and loads anew.
 */

const CURRENT = 'throughline/user'; // in the browser's storage: whose page was loaded last

const user = document.body.dataset.user ?? ''; // of a site of one user: ''

/** What the names of everything begin with that the page keeps in the browser's storage. */
export const STORAGE_PREFIX = user ? `throughline/${encodeURIComponent(user)}/` : 'throughline.';

function claimBrowser() {
  if (!user) return;
  try {
    localStorage.setItem(CURRENT, user);
    // From before accounts were kept apart: they may be anybody's.
    for (const name of Object.keys(localStorage)) if (name.startsWith('throughline.')) localStorage.removeItem(name);
  } catch {
    return; // where nothing is stored, nobody's texts are
  }
  window.addEventListener('storage', ({ key }) => key === CURRENT && leaveIfAnothers());
}

/** Returns whether the page is left, because another user has signed in. */
export function leaveIfAnothers() {
  const isLeaving = Boolean(user) && (readCurrent() ?? user) !== user;
  if (isLeaving) window.location.reload();
  return isLeaving;
}

function readCurrent() {
  try {
    return localStorage.getItem(CURRENT);
  } catch {
    return null;
  }
}

claimBrowser();
