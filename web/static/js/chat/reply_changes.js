/** Changes of a reply that is not being written: its variants and its rating. */

import { changeReply, listMessages, listVariants } from '../api/chat.js';

/** Rates a reply; null takes the rating back. */
export async function rateReply({ thread, id }, sequence, rating) {
  thread.replyAt(sequence)?.settle(await changeReply(id, sequence, { rating }));
}

/** Lets a variant be the reply. */
export async function chooseVariant({ thread, id }, sequence, variant) {
  thread.replyAt(sequence)?.settle(await changeReply(id, sequence, { variant }));
}

/** Shows a variant for reading only, or the chosen one again. */
export async function showVariant({ thread, id, signal }, sequence, variant) {
  const all = await listVariants(id, sequence, signal);
  const numbers = all.map((one) => one.variant);
  const chosen = all.find((one) => one.chosen).variant;
  if (variant === chosen) await refreshReply({ thread, id, signal }, sequence);
  else thread.replyAt(sequence).showOther(all[numbers.indexOf(variant)], { numbers, chosen });
}

/** Reads a reply again that has changed elsewhere. */
export async function refreshReply({ thread, id, signal }, sequence) {
  const { messages: [message] } = await listMessages(id, { after: sequence - 1, limit: 1, signal });
  const reply = thread.replyAt(sequence);
  if (message && !message.deleted && message.status !== 'streaming') reply?.settle(message);
}
