/** What happens to the open chat, in the list: its row is marked, changes, and gets a title. */

import { isFollowing } from '../api/events.js';
import { pollUntil } from '../page/polling.js';

const PAUSES_MS = [700, 1500, 3000, 6000];
const TOLD_PAUSES_MS = [6000]; // where the server tells of it; without Redis it does not

export function followChat(chat, conversations) {
  const select = () => conversations.select(chat.id, chat.conversation);
  chat.on('shown', select);
  chat.on('begun', select);
  chat.on('changed', ({ id, changes }) => conversations.update(id, changes));
  chat.on('started', () => conversations.refresh());
  chat.on('ended', () => awaitTitle(chat, conversations));
  document.addEventListener('erased', () => conversations.refresh());
}

/**
 * Reads the list again until the conversation has a title, which is made in the background, or the
 * reader has gone on. No title is made while memory is off. The end of a later round looks for it again.
 */
async function awaitTitle(chat, conversations) {
  const { id } = chat;
  const { mode } = chat.conversation;
  if (!id || conversations.hasTitle(id)) return;
  if (conversations.titleOf(id) === null) await conversations.refresh();
  if (mode === 'off') return;
  await pollUntil(async () => {
    if (chat.id !== id || chat.isLive || conversations.hasTitle(id)) return true;
    await conversations.refresh();
    return conversations.hasTitle(id);
  }, isFollowing() ? TOLD_PAUSES_MS : PAUSES_MS);
}
