/** The title of a new conversation, which is made in the background. */

import { pollUntil } from '../page/polling.js';

const PAUSES_MS = [700, 1500, 3000, 6000];

/**
 * Reads the list again until the conversation has a title, or `isOver(id)`. No title is made while
 * memory is off. The end of a later round looks for it again.
 */
export async function awaitTitle({ conversation_id: id, mode }, { conversations, refreshList, isOver }) {
  await refreshList();
  if (!id || mode === 'off' || conversations.hasTitle(id)) return;
  await pollUntil(async () => {
    if (isOver(id)) return true;
    await refreshList();
    return conversations.hasTitle(id);
  }, PAUSES_MS);
}
