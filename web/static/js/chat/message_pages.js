/** Messages as the API has them in its pages. */

/** Separates a reply that is still being written from the finished messages before it. */
export function splitOpen(messages) {
  const last = messages.at(-1);
  if (last?.status !== 'streaming') return { messages, open: null };
  return { messages: messages.slice(0, -1), open: last };
}

/** A message as the API would return it, before the server has stored it. */
export function draftOf(role, content) {
  const status = role === 'user' ? 'complete' : 'streaming';
  return { role, content, status, created_at: new Date().toISOString(), sequence_number: null };
}
