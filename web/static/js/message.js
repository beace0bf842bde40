/** What a question and a reply have in common: a place on the line, a time, a number. */

import { copyButton } from './copying.js';
import { el, icon } from './element.js';
import { t } from './texts.js';
import { timeElement } from './times.js';

const SHOWN_FOR_MS = 2400;

/**
 * An `li`; `message` is the API's, with `sequence_number` null while it is not known yet, and
 * `readText()` gives what the copy button copies. `onErase(sequence, role)` is called when it is
 * to be deleted.
 */
export function messageFrame(message, { readText, onErase }, ...content) {
  const who = t(message.role === 'user' ? 'chat.you' : 'chat.reply');
  const head = el('header', { class: 'message-head' },
    el('span', { class: 'who' }, who),
    timeElement(message.created_at),
    copyButton(readText, t('copy.message')),
    eraseButton(() => onErase(Number(element.dataset.sequence), message.role)),
    el('span', { class: 'number' }));
  const element = el('li', { class: `message is-${message.role}`, tabindex: '-1' }, head, ...content);
  if (message.sequence_number != null) setSequence(element, message.sequence_number);
  return element;
}

/** What stands in the place of a message that was deleted. */
export function deletedMessage({ role, sequence_number: sequence, created_at: createdAt }) {
  const head = el('header', { class: 'message-head' },
    el('span', { class: 'who' }, t(role === 'user' ? 'chat.you' : 'chat.reply')),
    timeElement(createdAt),
    el('span', { class: 'number' }));
  const note = el('p', { class: 'note' }, t('erase.gone'));
  const element = el('li', { class: `message is-${role} is-deleted`, tabindex: '-1' }, head, note);
  setSequence(element, sequence);
  return element;
}

function eraseButton(onclick) {
  const label = t('erase.open');
  return el('button', { type: 'button', class: 'quiet erase', title: label, 'aria-label': label, onclick }, icon('delete'));
}

export function setSequence(element, sequence) {
  element.dataset.sequence = sequence;
  const number = element.querySelector('.number');
  number.textContent = sequence;
  number.title = t('chat.number', { number: sequence });
}

/** Brings a message into view and marks it for a moment. */
export function pointOut(element) {
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
  element.classList.add('is-pointed-out');
  setTimeout(() => element.classList.remove('is-pointed-out'), SHOWN_FOR_MS);
}
