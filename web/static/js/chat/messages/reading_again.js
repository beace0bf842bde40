/** The open conversation, read again because it has changed elsewhere. */

import { listMessages } from '../../api/chat.js';
import { splitOpen } from './message_pages.js';

/** Shows what has changed elsewhere. */
export async function sync(chat, thread) {
  if (!chat.id || chat.isBusy || thread.hasNewer) return;
  const { id, signal } = chat;
  try {
    const page = await readAgain({ thread, id, signal }, () => !chat.isBusy);
    if (!page) return; // a round was begun here meanwhile, or the reader goes on
    if (page.isFar) chat.show(page);
    else if (page.open) chat.emit('unfinished', page.open);
    chat.change(page);
  } catch (error) {
    if (error.code === 'not_found') chat.fail(error);
  }
}

/**
 * Shows the newest messages as they are now, unless `mayShow()` is false when they have come: a
 * message that is sent meanwhile may be among them. Then it resolves to null, else to the API's page,
 * with `open`, a reply that is being written, and `isFar`: whether more has come than one page holds;
 * then nothing is shown.
 */
export async function readAgain({ thread, id, signal }, mayShow) {
  const page = await listMessages(id, { signal });
  if (!mayShow()) return null;
  const { messages, open } = splitOpen(page.messages);
  const isFar = page.messages[0]?.sequence_number > thread.lastSequence + 1;
  if (!isFar) thread.update(messages);
  return { ...page, open, isFar };
}

/** Shows the messages before one that was sent here, which came meanwhile from elsewhere. */
export async function fillGap({ thread, id, signal }, sequence) {
  for (;;) {
    const last = thread.lastBefore(sequence);
    if (last === sequence - 1) return;
    const { messages } = await listMessages(id, { after: last, signal });
    const missing = messages.filter((message) => message.sequence_number < sequence);
    thread.update(missing);
    if (!missing.length || thread.lastBefore(sequence) === last) return;
  }
}

/** Shows where branches part from the conversation, after one was begun. */
export async function showForks({ thread, id, signal }) {
  const { forks } = await listMessages(id, { limit: 1, signal });
  thread.showForks(forks);
}

/**
 * Whether a message got to the server, although no answer came from it. `lastKnown` is the sequence
 * number before it. Where the server cannot be asked, it is held to be lost.
 */
export async function hasArrived({ id, message, lastKnown }) {
  if (!id) return false;
  try {
    const { messages } = await listMessages(id, { after: lastKnown });
    return messages.some(({ role, content }) => role === 'user' && content === message);
  } catch {
    return false;
  }
}
