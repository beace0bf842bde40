/** Tells of replies that end while the reader looks elsewhere: in the tab's title, and by the browser. */

import { t } from '../text/texts.js';
import { readStored, store } from './storage.js';

const SETTING = 'notify';

const openings = new Map(); // by address: what shows the chat of a notification that the worker shows

let title = document.title;
let unseenCount = 0;

export function setDocumentTitle(text) {
  title = text;
  showTitle();
}

/** Whether the browser knows notifications. Some do so on sites with TLS only. */
export function canNotify() {
  return 'Notification' in window;
}

export function wantsNotifications() {
  return canNotify() && Notification.permission === 'granted' && readStored(SETTING) === 'on';
}

/** Asks for the browser's permission when they are switched on. Resolves to whether they are on. */
export async function setNotifications(isOn) {
  const isAllowed = isOn && (await Notification.requestPermission()) === 'granted';
  store(SETTING, isAllowed ? 'on' : '');
  return isAllowed;
}

/**
 * A reply has ended, whole or not. `heading` is its chat's title, if it has one. `address` is the
 * chat's, and `open()` shows it where it is not shown. What the reply says is not told.
 */
export function tellIfHidden({ heading, isWhole, address, open }) {
  if (!document.hidden) return;
  unseenCount += 1;
  showTitle();
  if (!wantsNotifications()) return;
  const body = t(isWhole ? 'reply.done' : 'reply.partial');
  show(heading ?? t('list.untitled'), { body, tag: address }, open);
}

function show(heading, options, open) {
  try {
    const notification = new Notification(heading, options);
    notification.addEventListener('click', () => {
      notification.close();
      window.focus();
      open();
    });
  } catch {
    showByWorker(heading, options, open);
  }
}

// Browsers on phones take notifications from a service worker only. It tells this page of clicks.
async function showByWorker(heading, options, open) {
  const registration = await navigator.serviceWorker?.getRegistration();
  openings.set(options.tag, open);
  registration?.active?.postMessage({ heading, options });
}

function showTitle() {
  document.title = unseenCount ? `(${unseenCount}) ${title}` : title;
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  unseenCount = 0;
  showTitle();
});

navigator.serviceWorker?.addEventListener('message', ({ data }) => openings.get(data.address)?.());
