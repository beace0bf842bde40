/** What stands in place of messages: a greeting, and for a reader without any conversation examples to try. */

import { byId } from '../../page/element.js';

/** `offer(message)` puts an example where the reader can send it. */
export function prepareWelcome(chat, offer) {
  chat.on('shown', () => showWelcome(!chat.conversation));
  chat.on('begun', () => showWelcome(false));
  byId('first-visit').addEventListener('click', ({ target }) => {
    const example = target.closest('.example');
    if (example) offer(example.textContent.trim());
  });
}

export function showFirstVisit(isFirst) {
  byId('first-visit').hidden = !isFirst;
}

function showWelcome(isShown) {
  byId('welcome').hidden = !isShown;
}
