/** What a reader without any conversation is shown: examples to try, and where things are kept. */

import { byId } from '../../page/element.js';

/** `offer(message)` puts an example where the reader can send it. */
export function prepareExamples(offer) {
  byId('first-visit').addEventListener('click', ({ target }) => {
    const example = target.closest('.example');
    if (example) offer(example.textContent.trim());
  });
}

export function showFirstVisit(isFirst) {
  byId('first-visit').hidden = !isFirst;
}
