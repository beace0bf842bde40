/** What the page tells the reader: notices above the composer, the banner, screen reader messages. */

import { t } from '../text/texts.js';
import { byId, el, icon } from './element.js';

const SHOWN_MS = 12_000;
const MAX_ANNOUNCEMENTS = 30;

/**
 * Shows a notice for a while; a `lasting` one stays until it is dismissed. A notice with an
 * `action` {label, run}, or one that `isCalm`, is not an error. `onDismiss()` is called when the reader closes the notice.
 * It takes the place of one with the same `key`.
 *
 * Returns {element, dismiss}.
 */
export function notify(text, { lasting = false, action = null, isCalm = action !== null, onDismiss = () => {}, key = text } = {}) {
  const notices = byId('notices');
  const dismiss = () => element.remove();
  const close = () => {
    dismiss();
    onDismiss();
  };
  const element = el('div', { class: isCalm ? 'notice is-calm' : 'notice', 'data-key': key },
    el('p', {}, text),
    action && el('button', { type: 'button', class: 'action', onclick: action.run }, action.label),
    el('button', { type: 'button', class: 'quiet', 'aria-label': t('notice.close'), onclick: close }, icon('close')));
  dropNotices(key);
  notices.append(element);
  if (!lasting) setTimeout(dismiss, SHOWN_MS);
  return { element, dismiss };
}

export function dropNotices(key) {
  const same = [...byId('notices').children].filter((notice) => notice.dataset.key === key);
  for (const notice of same) notice.remove();
}

/** Tells a screen reader a whole sentence or block; single words would be too many. */
export function announce(text) {
  if (!text) return;
  const log = byId('announcer');
  log.append(el('p', {}, text));
  while (log.children.length > MAX_ANNOUNCEMENTS) log.firstChild.remove();
}

/** Shows a notice while the browser is offline. */
export function watchNetwork() {
  let dismiss = () => {};
  const update = () => {
    dismiss();
    if (!navigator.onLine) dismiss = notify(t('notice.offline'), { lasting: true }).dismiss;
  };
  window.addEventListener('online', update);
  window.addEventListener('offline', update);
  update();
}

/** Shows that the built-in stand-in model is answering, until the reader closes the banner. */
export function showStandIn(isStandIn) {
  byId('stand-in').hidden = !isStandIn;
}

/** Connects the banner's buttons. `setUp()` opens the dialog of models, for operators. */
export function prepareStandIn(setUp) {
  byId('stand-in-set-up').addEventListener('click', setUp);
  byId('stand-in-close').addEventListener('click', () => showStandIn(false));
}
