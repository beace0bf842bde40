/** What happens around the deletion of all that is the user's: this tab and the others leave what they show. */

import { STORAGE_PREFIX } from '../api/account.js';
import { closeStorage, isDeletion } from '../api/stored_data.js';

const otherTabs = new BroadcastChannel(`${STORAGE_PREFIX}forgotten`); // of this user

export function watchForgetting() {
  otherTabs.addEventListener('message', leaveForgotten);
}

/** This tab is about to leave, or stays after all. */
export function tellForgetting(isLeaving) {
  document.dispatchEvent(new CustomEvent('forgetting', { detail: isLeaving }));
}

export function tellForgotten() {
  otherTabs.postMessage(null);
}

export function leaveForgotten() {
  closeStorage((name) => isDeletion(name) && !name.startsWith(STORAGE_PREFIX)); // others' stay
  window.location.assign('/');
}
