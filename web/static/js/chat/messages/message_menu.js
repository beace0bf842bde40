/** The menu of a message: its buttons by name, its number, and how to delete it. */

import { toggleMenu } from '../../page/menu.js';
import { t } from '../../text/texts.js';

/** `erase(sequence)` is called when the reader wants to delete the message. */
export function openMessageMenu(button, erase) {
  const message = button.closest('.message');
  const { sequence } = message.dataset;
  const items = [...message.querySelectorAll('.message-buttons button')].filter(isOffered).map(itemOf);
  if (isErasable(message)) items.push({ label: t('erase.open'), run: () => erase(Number(sequence)), isGrave: true });
  toggleMenu(button, t('chat.more'), items, sequence === undefined ? '' : t('chat.number', { number: sequence }));
}

/** Styles say when there is a button; where there is little room, they hide all of them by their frame. */
function isOffered(button) {
  return getComputedStyle(button).display !== 'none' && !button.closest('[hidden]');
}

function itemOf(button) {
  const { ariaPressed: pressed } = button;
  return { label: button.title, run: () => button.click(), isChecked: pressed === null ? null : pressed === 'true' };
}

/** A message that is not stored yet cannot be deleted, and none while a reply is written. */
function isErasable(message) {
  const { sequence } = message.dataset;
  const isWriting = message.parentElement.querySelector('[data-status="streaming"]') !== null;
  return sequence !== undefined && !isWriting && !message.closest('.is-temporary');
}
