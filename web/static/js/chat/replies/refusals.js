/**
 * What the server has not taken is given back to the reader: messages, and edits of messages. The
 * thread is shown as it was, also where it cannot be read again.
 */

import { hasArrived } from '../messages/reading_again.js';

export class Refusals {
  #chat;
  #thread;

  constructor(chat, thread) {
    this.#chat = chat;
    this.#thread = thread;
  }

  /** Without an answer the message may have been stored all the same, so the server is asked first. */
  async takeBack(round, element, sent, error) {
    this.#thread.remove(element, round.reply.element);
    await this.#reopen(sent.id);
    if (error.code === 'network') await this.findOut(sent, error);
    else this.#refuse(sent, error);
  }

  async findOut(sent, error) {
    if (await hasArrived(sent)) this.#chat.emit('arrived', sent);
    else this.#refuse(sent, error);
  }

  /** For another reply in place of one. */
  undoRetry(round, { id, replaced }, error) {
    this.#thread.remove(round.reply.element);
    this.#thread.restore([replaced]);
    return this.#tellAndReopen(id, error);
  }

  /** For the rest of a reply. `undo()` shows it as it was. */
  undoGoingOn({ id, undo }, error) {
    undo();
    return this.#tellAndReopen(id, error);
  }

  /** An edited message that was not stored is offered to be edited again. */
  async undoEdit(round, { id, message, element, replaced }, error) {
    this.#thread.remove(element, round.reply.element);
    this.#thread.restore(replaced);
    if (!await this.#reopen(id)) {
      this.#refuse({ id, message, files: [] }, error);
    } else if (this.#thread.newestText !== message) {
      this.#chat.fail(error);
      this.#thread.editNewest(message);
    }
  }

  /** The same for one that was to begin a branch. The conversation has not changed, so it is not read again. */
  undoBranch(round, { id, sequence, message, element, putBack }, error) {
    if (round.signal.aborted) {
      this.#refuse({ id, message, files: [] }, error);
      return;
    }
    this.#thread.remove(element, round.reply.element);
    putBack();
    this.#chat.fail(error);
    this.#thread.editAt(sequence, message);
  }

  #refuse(sent, error) {
    this.#chat.emit('refused', { sent, error });
  }

  // For a new chat there is nothing to read.
  async #reopen(id) {
    if (id) return this.#chat.reopen(id);
    this.#chat.leave();
    return true;
  }

  async #tellAndReopen(id, error) {
    this.#chat.fail(error);
    await this.#reopen(id);
  }
}
