/** Asks before a conversation is deleted which replies in others repeat. Any other can be undone. */

import { previewDeletion } from '../api/chat.js';
import { confirmAction } from '../page/dialogs.js';
import { el } from '../page/element.js';
import { drawChoice, drawErasurePreview } from '../page/erasure_preview.js';
import { t, tCount } from '../text/texts.js';

/** Resolves to the arguments of the deletion, or to null if the reader does not want it. */
export async function askAboutReplies(id, title) {
  const { replies_left: replies } = await previewDeletion(id, false).catch(() => ({ replies_left: 0 }));
  if (!replies) return '';
  let withReplies = false;
  const preview = el('div', { class: 'erasure-preview' });
  const update = async () => preview.replaceChildren(...drawErasurePreview(await previewDeletion(id, withReplies)));
  await update();
  const choice = drawChoice(tCount('erase.replies_too', replies), withReplies, (isTicked) => {
    withReplies = isTicked;
    update().catch(() => preview.replaceChildren());
  });
  const question = { title: t('erase.chat.title', { title }), text: t('erase.chat.text'), verb: t('erase.verb') };
  if (!(await confirmAction({ ...question, details: [choice, preview] }))) return null;
  return withReplies ? 'with_replies=true' : 'with_replies=false';
}
