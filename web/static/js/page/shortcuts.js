/** Keyboard shortcuts of the whole page, and the dialog that lists them. */

import { isDialogOpen, prepareDialog } from './dialogs.js';

const IS_MAC = /Mac|iP/.test(navigator.platform);
const TEXT_FIELDS = 'input:not([type="radio"], [type="file"]), textarea, select';

/** `actions` is {newChat, search, escape}. */
export function prepareShortcuts(actions) {
  const dialog = prepareDialog('shortcuts');
  const byKey = new Map([
    ['/', () => dialog.showModal()],
    ['k', actions.search],
    ['o', actions.newChat],
  ]);
  for (const key of document.querySelectorAll('[data-modifier]')) key.textContent = IS_MAC ? '⌘' : 'Ctrl';
  document.addEventListener('keydown', (event) => {
    const action = byKey.get(shortcutOf(event));
    if (!action || event.defaultPrevented || isDialogOpen()) return;
    event.preventDefault();
    action();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !isDialogOpen()) actions.escape();
  });
}

/** The key of the shortcut that was pressed, or null. */
function shortcutOf(event) {
  if (isQuestionMark(event)) return '/';
  return hasModifiers(event) ? event.key.toLowerCase() : null;
}

// A question mark outside of a text field.
function isQuestionMark(event) {
  const isTyped = event.target.matches(TEXT_FIELDS);
  return event.key === '?' && !isTyped && !event.ctrlKey && !event.metaKey && !event.altKey;
}

// `o` needs Shift, because browsers use it without. `/` is typed with Shift on some keyboards.
function hasModifiers(event) {
  const hasControl = IS_MAC ? event.metaKey : event.ctrlKey;
  const hasShift = event.shiftKey === (event.key.toLowerCase() === 'o');
  return hasControl && !event.altKey && (hasShift || event.key === '/');
}
