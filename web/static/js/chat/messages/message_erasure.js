/** Deletes a message or its round, after a preview. */

import { deleteMessage } from '../../api/chat.js';
import { confirmAction } from '../../page/dialogs.js';
import { el } from '../../page/element.js';
import { drawChoice, drawErasurePreview, tellErasure } from '../../page/erasure_preview.js';
import { t, tCount } from '../../text/texts.js';

/** `id` is the conversation's. `role` is that of the message. */
export async function openErasure(id, sequence, role) {
  const choices = { round: true, withReplies: false };
  const preview = el('div', { class: 'erasure-preview' });
  const update = async () => {
    const receipt = await deleteMessage(id, sequence, { ...choices, dryRun: true });
    preview.replaceChildren(...drawErasurePreview(receipt));
    return receipt;
  };
  const change = (name) => (isTicked) => {
    choices[name] = isTicked;
    update().catch(() => preview.replaceChildren());
  };
  const { replies_left: replies } = await update();
  const details = [
    drawChoice(t(`erase.round.${role}`), choices.round, change('round')),
    replies > 0 && drawChoice(tCount('erase.replies_too', replies), choices.withReplies, change('withReplies')),
    preview,
  ].filter(Boolean);
  const question = { title: t('erase.title'), text: t('erase.text'), verb: t('erase.verb'), details };
  if (await confirmAction(question)) tellErasure(await deleteMessage(id, sequence, choices));
}
