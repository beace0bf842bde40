/** What user messages and replies have in common: head, tools, number, marks. */

import { copyButton } from '../../page/copy_button.js';
import { el, iconButton, timeElement } from '../../page/element.js';
import { notifyError } from '../../page/failures.js';
import { t } from '../../text/texts.js';

const HIGHLIGHT_MS = 2400;

let toolsCount = 0; // makes the ids of the menus' buttons

/**
 * An `li` for the API's message; `sequence_number` is null until the server has stored it. `tools`
 * are for its head, or null.
 */
export function createMessage(message, tools, ...content) {
  const head = createHead(message, tools);
  const element = el('li', { class: `message is-${message.role}`, tabindex: '-1' }, head, ...content);
  if (message.sequence_number != null) setSequence(element, message.sequence_number);
  return element;
}

/**
 * The buttons of a message, and one for a menu with all of them and the rest.
 *
 * `readText()` returns what the copy button copies. `onErase(sequence, role)` is called when the
 * reader wants to delete the message.
 */
export function createTools({ role }, { readText, onErase }, ...buttons) {
  toolsCount += 1;
  const openMenu = async (button) => {
    const { openMessageMenu } = await import('./message_menu.js');
    openMessageMenu(button, (sequence) => onErase(sequence, role));
  };
  const more = iconButton('more', t('chat.more'), {
    class: 'quiet message-more',
    id: `message-more-${toolsCount}`,
    'aria-haspopup': 'menu',
    'aria-expanded': 'false',
    onclick: ({ currentTarget }) => openMenu(currentTarget).catch(notifyError),
  });
  const copying = copyButton(readText, t('copy.message'));
  return el('span', { class: 'message-tools' }, el('span', { class: 'message-buttons' }, copying, ...buttons), more);
}

/** An `li` in place of a message that was deleted. */
export function createDeletedMessage(message) {
  const note = el('p', { class: 'note' }, t('erase.gone'));
  const className = `message is-${message.role} is-deleted`;
  const element = el('li', { class: className, tabindex: '-1' }, createHead(message), note);
  setSequence(element, message.sequence_number);
  return element;
}

/** Puts a deleted message in the place of one; null is one that is not loaded. */
export function showAsDeleted(element) {
  if (!element) return;
  const sequence = Number(element.dataset.sequence);
  const role = sequence % 2 ? 'assistant' : 'user';
  const createdAt = element.querySelector('time')?.dateTime;
  element.replaceWith(createDeletedMessage({ role, sequence_number: sequence, created_at: createdAt }));
}

export function setSequence(element, sequence) {
  element.dataset.sequence = sequence;
}

/** Scrolls to a message and highlights it for a moment. */
export function highlightMessage(element) {
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
  element.classList.add('is-highlighted');
  setTimeout(() => element.classList.remove('is-highlighted'), HIGHLIGHT_MS);
}

function createHead({ role, created_at: createdAt }, tools = null) {
  return el('header', { class: 'message-head' },
    el('span', { class: 'who' }, t(role === 'user' ? 'chat.you' : 'chat.reply')),
    timeElement(createdAt),
    tools);
}
