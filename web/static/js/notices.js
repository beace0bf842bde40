/** Sentences above the message box, one for each thing that went wrong, and the banner above. */

import { byId, el, icon } from './element.js';
import { keep, recallKept } from './kept.js';
import { t } from './texts.js';

const SHOWN_FOR_MS = 12_000;

/**
 * Shows a sentence until it is dismissed or has had its time; `lasting` ones stay. An `action`
 * {label, run} goes with what is no fault; `onDismiss()`: the reader has closed it.
 *
 * Returns {element, dismiss}.
 */
export function notify(text, { lasting = false, action = null, onDismiss = () => {} } = {}) {
  const places = byId('notices');
  const same = [...places.children].find((notice) => notice.dataset.text === text);
  const dismiss = () => element.remove();
  const close = () => {
    dismiss();
    onDismiss();
  };
  const element = el('div', { class: action ? 'notice is-calm' : 'notice', 'data-text': text },
    el('p', {}, text),
    action && el('button', { type: 'button', class: 'action', onclick: action.run }, action.label),
    el('button', { type: 'button', class: 'quiet', 'aria-label': t('notice.close'), onclick: close }, icon('close')));
  same?.remove();
  places.append(element);
  if (!lasting) setTimeout(dismiss, SHOWN_FOR_MS);
  return { element, dismiss };
}

/** Says that the network is gone for as long as it is. */
export function watchNetwork() {
  let dismiss = () => {};
  const tell = () => {
    dismiss();
    if (!navigator.onLine) ({ dismiss } = notify(t('notice.offline'), { lasting: true }));
  };
  window.addEventListener('online', tell);
  window.addEventListener('offline', tell);
  tell();
}

export function showStandIn(isStandIn) {
  const banner = byId('stand-in');
  banner.hidden = !isStandIn || recallKept('stand-in') === 'dismissed';
  byId('stand-in-close').addEventListener('click', () => {
    banner.hidden = true;
    keep('stand-in', 'dismissed');
  });
}
