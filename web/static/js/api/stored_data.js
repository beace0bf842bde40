/**
 * What the page keeps in the browser's storage, of all its users, and how it is removed. The service
 * worker's cache holds files of the site, and nothing of a user's.
 */

const BEGINNING = 'throughline';

let isClosed = false;

/** Whether this page keeps nothing more, because it is about to be left. */
export function isStorageClosed() {
  return isClosed;
}

/**
 * Whether an entry is a deletion that the server may not know of yet. It is an id and a time. Without
 * it, a chat would come back that its user has deleted.
 */
export function isDeletion(name) {
  return /^throughline(\.|\/[^/]+\/)(deleting|forgetting)\./.test(name);
}

/** Removes what all users have left in this browser and in this tab, but for what `isSpared(name)`. */
export function clearStorage(isSpared) {
  for (const kind of ['localStorage', 'sessionStorage']) {
    try {
      const storage = window[kind];
      const names = Object.keys(storage).filter((name) => name.startsWith(BEGINNING) && !isSpared(name));
      names.forEach((name) => storage.removeItem(name));
    } catch {
      // Nothing was stored.
    }
  }
  closeNotifications();
}

/** The same, for good: what is typed into this page until it is left is not kept. */
export function closeStorage(isSpared) {
  isClosed = true;
  clearStorage(isSpared);
}

// Those of the service worker stay when the page is left. They name chats.
async function closeNotifications() {
  const registration = await navigator.serviceWorker?.getRegistration();
  const notifications = (await registration?.getNotifications?.()) ?? [];
  notifications.forEach((notification) => notification.close());
}
