/** What a deletion removes: shown before the reader agrees, and told afterwards. */

import { formatFact } from '../text/facts.js';
import { t, tCount } from '../text/texts.js';
import { el } from './element.js';
import { notify } from './notices.js';

const KINDS = ['conversations', 'messages', 'attachments', 'variants', 'facts', 'summaries', 'episodes', 'titles', 'suggestions', 'shares', 'vectors'];
const SHOWN_MESSAGES = 6;

/** Nodes for the API's receipt: how each message begins, the facts, the counts by kind, what stays. */
export function drawErasurePreview({ counts, messages = [], facts = [], ...left }) {
  const shown = messages.slice(0, SHOWN_MESSAGES);
  const rest = messages.length - shown.length;
  const going = facts.filter((fact) => !fact.stays).map(formatFact);
  return [
    el('ul', { class: 'erasure-messages' }, ...shown.map(({ text }) => el('li', { dir: 'auto' }, text))),
    rest > 0 && el('p', {}, tCount('erase.more', rest)),
    going.length > 0 && el('p', {}, t('erase.facts_go', { facts: going.join('; ') })),
    el('p', { class: 'about' }, t('erase.counts', { what: sumUp(counts) })),
    ...sayLeft(left).map((text) => el('p', {}, text)),
    el('p', { class: 'about' }, t('erase.stays')),
  ].filter(Boolean);
}

/** A box to tick, with its label. `onChange(isTicked)`. */
export function drawChoice(label, isTicked, onChange) {
  const box = el('input', { type: 'checkbox', checked: isTicked });
  box.addEventListener('change', () => onChange(box.checked));
  return el('label', { class: 'erasure-choice' }, box, ' ', el('span', { dir: 'auto' }, label));
}

/** Tells what was deleted, and sends an `erased` event with the API's messages to the document. */
export function tellErasure({ counts, messages = [], facts = [], ...left }) {
  const staying = facts.filter((fact) => fact.stays).map(formatFact);
  const sentences = [
    t('erase.done', { what: sumUp(counts) }),
    staying.length > 0 && t('erase.facts_stay', { facts: staying.join('; ') }),
    ...sayLeft(left),
  ];
  notify(sentences.filter(Boolean).join(' '), { lasting: true, isCalm: true, key: 'erased' });
  document.dispatchEvent(new CustomEvent('erased', { detail: messages }));
}

function sumUp(counts) {
  return KINDS.filter((kind) => counts[kind]).map((kind) => tCount(`erase.${kind}`, counts[kind])).join(', ');
}

function sayLeft({ mentions_left: mentions = 0, replies_left: replies = 0 }) {
  return [
    mentions > 0 && tCount('erase.mentions', mentions),
    replies > 0 && tCount('erase.replies', replies),
  ].filter(Boolean);
}
