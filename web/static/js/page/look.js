/**
 * The reader's theme and text size. They are kept in cookies, because the server writes them into
 * the page, so that they hold before the first paint.
 */

import { readCookie, writeCookie } from './cookies.js';

const channel = new BroadcastChannel('throughline.look');

/** `{theme, size}`; an empty theme is the system's, an empty size is the normal one. */
export function readLook() {
  return { theme: readCookie('theme'), size: readCookie('size') };
}

/** `name` is `theme` or `size`. */
export function setLook(name, value) {
  writeCookie(name, value);
  apply();
  channel.postMessage('changed');
}

/** Follows what the reader chooses in other tabs. */
export function followLook() {
  channel.addEventListener('message', apply);
  window.addEventListener('pageshow', (event) => event.persisted && apply());
}

function apply() {
  const { theme, size } = readLook();
  setData('theme', theme);
  setData('size', size);
  document.querySelector('meta[name="color-scheme"]').content = theme || 'light dark';
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    meta.media = mediaOf(meta.dataset.for, theme);
  }
  document.dispatchEvent(new Event('look'));
}

function setData(name, value) {
  if (value) document.documentElement.dataset[name] = value;
  else delete document.documentElement.dataset[name];
}

// As `Appearance.media_of` on the server.
function mediaOf(theme, chosen) {
  if (!chosen) return `(prefers-color-scheme: ${theme})`;
  return theme === chosen ? 'all' : 'not all';
}
