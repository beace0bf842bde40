/** Deletion of a message or round, and of a fact with all that tells it: what goes is shown before. */

import { deleteMessage } from './api.js';
import { announce } from './announcer.js';
import { confirmed } from './confirming.js';
import { el } from './element.js';
import { forgetFact } from './memory_api.js';
import { t, tCount } from './texts.js';

const KINDS = ['conversations', 'messages', 'facts', 'summaries', 'episodes', 'titles', 'suggestions', 'vectors'];
const SHOWN = 6; // messages of a preview

/** Asks first. The document is told of what is gone by an `erased` event with the API's messages. */
export async function eraseMessage(id, sequence, role) {
  const whole = el('input', { type: 'checkbox', checked: true });
  const preview = el('div', { class: 'erasing-preview' });
  const look = async () => {
    const receipt = await deleteMessage(id, sequence, { round: whole.checked, dryRun: true });
    preview.replaceChildren(...drawPreview(receipt));
  };
  whole.addEventListener('change', () => look().catch(() => preview.replaceChildren()));
  await look();
  const more = [el('label', { class: 'erasing-choice' }, whole, ' ', t(`erase.round.${role}`)), preview];
  if (!(await confirmed({ title: t('erase.title'), text: t('erase.text'), verb: t('erase.verb'), more }))) return;
  tell(await deleteMessage(id, sequence, { round: whole.checked }));
}

/** The same for a fact, with what taught it and what says it. */
export async function forgetEverywhere({ fact_id: id, key, value }) {
  const receipt = await forgetFact(id, { dryRun: true });
  const title = t('erase.fact.title', { key: key.replaceAll('_', ' '), value });
  const more = drawPreview(receipt);
  if (!(await confirmed({ title, text: t('erase.fact.text'), verb: t('erase.fact.verb'), more }))) return;
  tell(await forgetFact(id));
}

function tell({ messages = [] }) {
  announce(t('erase.done'));
  document.dispatchEvent(new CustomEvent('erased', { detail: messages }));
}

/** Nodes for a receipt: counts by kind, and how each message begins. */
function drawPreview({ counts, messages = [], mentions_left: mentions }) {
  const parts = KINDS.filter((kind) => counts[kind]).map((kind) => tCount(`erase.${kind}`, counts[kind]));
  const rest = messages.length - SHOWN;
  return [
    el('ul', { class: 'erasing-messages' }, ...messages.slice(0, SHOWN).map(({ text }) => el('li', { dir: 'auto' }, text))),
    rest > 0 && el('p', {}, tCount('erase.more', rest)),
    el('p', { class: 'about' }, t('erase.counts', { what: parts.join(', ') })),
    mentions > 0 && el('p', {}, tCount('erase.mentions', mentions)),
  ].filter(Boolean);
}
