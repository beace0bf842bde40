/** Links to messages. A click on one is handled by address.js. */

import { formatRange, t } from '../text/texts.js';
import { addressOf } from './address.js';
import { el } from './element.js';

export function messageLink(conversationId, sequence, attributes, ...content) {
  const href = addressOf(conversationId, sequence);
  return el('a', { ...attributes, href, 'data-conversation': conversationId }, ...content);
}

/** A link to the first message of a range, which shows the range. */
export function rangeLink(conversationId, first, last) {
  const range = formatRange(first, last);
  const title = t('place.go', { first });
  return messageLink(conversationId, first, { class: 'range', title, 'aria-label': `${range}. ${title}` }, range);
}
