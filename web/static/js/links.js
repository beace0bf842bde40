/** Links to a place in a conversation; address.js sees to the click. */

import { addressOf } from './address.js';
import { el } from './element.js';
import { t } from './texts.js';

/** `attributes` go on the link; `content` is what it shows. */
export function placeLink(conversationId, sequence, attributes, ...content) {
  const href = addressOf(conversationId, sequence);
  return el('a', { ...attributes, href, 'data-conversation': conversationId }, ...content);
}

/** `4–9`, or `4`; leads to the first. */
export function rangeLink(conversationId, first, last) {
  const range = rangeText(first, last);
  const title = t('place.go', { first });
  return placeLink(conversationId, first, { class: 'range', title, 'aria-label': `${range}. ${title}` }, range);
}

export function rangeText(first, last) {
  return first === last ? `${first}` : `${first}–${last}`;
}
