/** Leads from a message to its other wordings, each in a branch: ‹ 1/2 ›. */

import { el, icon } from '../../page/element.js';
import { messageLink } from '../../page/links.js';
import { t } from '../../text/texts.js';

/** `fork` is the API's: {sequence, branches, current}. */
export function createForkPager({ sequence, branches, current }) {
  const count = t('variants.count', { place: current + 1, count: branches.length });
  return el('nav', { class: 'variants forks', 'aria-label': t('forks.label') },
    createStep('back', 'forks.older', branches[current - 1], sequence),
    el('span', { class: 'variant-count' }, count),
    createStep('forth', 'forks.newer', branches[current + 1], sequence),
    el('span', { class: 'fork-note' }, t('forks.memory')));
}

// A link without an address is no link, but keeps its place.
function createStep(iconName, key, id, sequence) {
  const label = { title: t(key), 'aria-label': t(key) };
  if (!id) return el('span', { class: 'quiet', 'aria-hidden': 'true' }, icon(iconName));
  return messageLink(id, sequence, { class: 'quiet', ...label }, icon(iconName));
}
