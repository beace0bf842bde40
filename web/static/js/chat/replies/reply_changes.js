/** Changes of a reply that is not being written: its variants and its rating. */

import { changeReply, listMessages, listVariants } from '../../api/chat.js';
import { runOrTell } from '../../api/errors.js';

export class ReplyChanges {
  #chat;
  #thread;

  constructor(chat, thread) {
    this.#chat = chat;
    this.#thread = thread;
  }

  /** Rates a reply; null takes the rating back. */
  rate(sequence, rating) {
    return this.#try((place) => rateReply(place, sequence, rating));
  }

  /**
   * Shows another variant of a reply. In the newest reply this chooses it; in an older one it is
   * shown for reading only. Resolves to whether it is shown.
   */
  turn(sequence, variant) {
    const isChosen = this.#thread.isNewest(sequence) && !this.#chat.isLive;
    const show = isChosen ? chooseVariant : showVariant;
    return this.#try((place) => show(place, sequence, variant));
  }

  /** Reads a reply again that has changed elsewhere. */
  async refresh(sequence) {
    const reply = this.#thread.replyAt(sequence);
    if (!reply || this.#chat.isWriting(reply)) return;
    await this.#try((place) => refreshReply(place, sequence));
  }

  #try(work) {
    const { id, signal } = this.#chat;
    return runOrTell(() => work({ thread: this.#thread, id, signal }), this.#chat.fail);
  }
}

async function rateReply({ thread, id }, sequence, rating) {
  thread.replyAt(sequence)?.settle(await changeReply(id, sequence, { rating }));
}

/** Lets a variant be the reply. */
async function chooseVariant({ thread, id }, sequence, variant) {
  thread.replyAt(sequence)?.settle(await changeReply(id, sequence, { variant }));
}

/** Shows a variant for reading only, or the chosen one again. */
async function showVariant({ thread, id, signal }, sequence, variant) {
  const all = await listVariants(id, sequence, signal);
  const numbers = all.map((item) => item.variant);
  const chosen = all.find((item) => item.chosen).variant;
  if (variant === chosen) await refreshReply({ thread, id, signal }, sequence);
  else thread.replyAt(sequence).showOther(all[numbers.indexOf(variant)], { numbers, chosen });
}

/** Reads a reply again that has changed elsewhere. */
export async function refreshReply({ thread, id, signal }, sequence) {
  const { messages: [message] } = await listMessages(id, { after: sequence - 1, limit: 1, signal });
  const reply = thread.replyAt(sequence);
  const isWritten = reply && !reply.isOpen; // otherwise it is written again by now
  if (isWritten && message && !message.deleted && message.status !== 'streaming') reply.settle(message);
}
