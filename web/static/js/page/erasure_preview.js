/** What a deletion removes: shown before the reader agrees, and announced afterwards. */

import { t, tCount } from '../text/texts.js';
import { el } from './element.js';
import { announce } from './notices.js';

const KINDS = ['conversations', 'messages', 'attachments', 'variants', 'facts', 'summaries', 'episodes', 'titles', 'suggestions', 'shares', 'vectors'];
const SHOWN_MESSAGES = 6;

/** Nodes for the API's receipt: how each message begins, the counts by kind, what stays. */
export function drawErasurePreview({ counts, messages = [], mentions_left: mentions }) {
  const parts = KINDS.filter((kind) => counts[kind]).map((kind) => tCount(`erase.${kind}`, counts[kind]));
  const shown = messages.slice(0, SHOWN_MESSAGES);
  const rest = messages.length - shown.length;
  return [
    el('ul', { class: 'erasure-messages' }, ...shown.map(({ text }) => el('li', { dir: 'auto' }, text))),
    rest > 0 && el('p', {}, tCount('erase.more', rest)),
    el('p', { class: 'about' }, t('erase.counts', { what: parts.join(', ') })),
    mentions > 0 && el('p', {}, tCount('erase.mentions', mentions)),
    el('p', { class: 'about' }, t('erase.stays')),
  ].filter(Boolean);
}

/** Announces a deletion, and sends an `erased` event with the API's messages to the document. */
export function announceErasure({ messages = [] }) {
  announce(t('erase.done'));
  document.dispatchEvent(new CustomEvent('erased', { detail: messages }));
}
