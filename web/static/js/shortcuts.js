/** Keys that work on the whole page, and the sheet that lists them. */

import { isDialogOpen, prepareDialog } from './dialogs.js';

const IS_MAC = /Mac|iP/.test(navigator.platform);
const TEXT_FIELDS = 'input:not([type="radio"], [type="file"]), textarea, select';

/** `run` is {newChat, search}: what the keys lead to. */
export function prepareShortcuts(run) {
  const sheet = prepareDialog('shortcuts');
  const keys = {
    '/': () => sheet.showModal(),
    k: run.search,
    o: run.newChat,
  };
  for (const key of sheet.querySelectorAll('[data-modifier]')) key.textContent = IS_MAC ? '⌘' : 'Ctrl';
  document.addEventListener('keydown', (event) => {
    const act = isAsking(event) ? keys['/'] : isOurs(event) && keys[event.key.toLowerCase()];
    if (!act || event.defaultPrevented || isDialogOpen()) return;
    event.preventDefault();
    act();
  });
}

// A question mark that is not being typed into something.
function isAsking(event) {
  const isTyped = event.target.matches(TEXT_FIELDS);
  return event.key === '?' && !isTyped && !event.ctrlKey && !event.metaKey && !event.altKey;
}

// With Shift where the browser has the letter alone for itself.
function isOurs(event) {
  const isModified = IS_MAC ? event.metaKey : event.ctrlKey;
  const isShifted = event.shiftKey === (event.key.toLowerCase() === 'o');
  return isModified && !event.altKey && (isShifted || event.key === '/');
}
