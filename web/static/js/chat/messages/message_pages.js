/** Messages as the API has them in its pages. */

import { listMessages } from '../../api/chat.js';

/** A page of messages before a sequence number. */
export function readOlder({ id, signal }, before) {
  return listMessages(id, { before, signal });
}

/** A page after a sequence number. `open` is a reply in it that is still being written. */
export async function readNewer({ id, signal }, after) {
  const page = await listMessages(id, { after, signal });
  return { ...page, ...splitOpen(page.messages) };
}

/** Separates a reply that is still being written from the finished messages before it. */
export function splitOpen(messages) {
  const last = messages.at(-1);
  if (last?.status !== 'streaming') return { messages, open: null };
  return { messages: messages.slice(0, -1), open: last };
}

/** A message as the API would return it, before the server has stored it. `attachments` are the API's. */
export function draftOf(role, content, attachments = []) {
  const status = role === 'user' ? 'complete' : 'streaming';
  return { role, content, status, created_at: new Date().toISOString(), sequence_number: null, attachments };
}

/** What sends a message. `files` are the API's, `place` is a conversation's id or a new one's options. */
export function bodyOf(message, files, place) {
  return { message, attachments: files.map((file) => file.attachment_id), ...place };
}
