/** Deletes a message or its round, after a preview. */

import { deleteMessage } from '../api/chat.js';
import { confirmAction } from '../page/dialogs.js';
import { el } from '../page/element.js';
import { announceErasure, drawErasurePreview } from '../page/erasure_preview.js';
import { t } from '../text/texts.js';

/** `id` is the conversation's. `role` is that of the message. */
export async function eraseMessage(id, sequence, role) {
  const wholeRound = el('input', { type: 'checkbox', checked: true });
  const preview = el('div', { class: 'erasure-preview' });
  const update = async () => {
    const receipt = await deleteMessage(id, sequence, { round: wholeRound.checked, dryRun: true });
    preview.replaceChildren(...drawErasurePreview(receipt));
  };
  wholeRound.addEventListener('change', () => update().catch(() => preview.replaceChildren()));
  await update();
  const label = el('label', { class: 'erasure-round' }, wholeRound, ' ', t(`erase.round.${role}`));
  const question = { title: t('erase.title'), text: t('erase.text'), verb: t('erase.verb') };
  if (!(await confirmAction({ ...question, details: [label, preview] }))) return;
  announceErasure(await deleteMessage(id, sequence, { round: wholeRound.checked }));
}
