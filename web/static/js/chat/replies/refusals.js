/**
 * What the server has not taken is given back to the reader: messages, and edits of messages. The
 * thread is shown as it was, also where it cannot be read again.
 */

import { hasArrived } from '../messages/reading_again.js';

export class Refusals {
  #thread;
  #reopen;
  #on;

  /**
   * `reopen(id)` reads a conversation again, and resolves to whether the reader is still there. For a
   * new chat there is nothing to read.
   * `on.refused`, `on.arrived` and `on.failed` are those of `Chat`.
   */
  constructor(thread, reopen, on) {
    this.#thread = thread;
    this.#reopen = reopen;
    this.#on = on;
  }

  /** Without an answer the message may have been stored all the same, so the server is asked first. */
  async takeBack(round, element, sent, error) {
    this.#thread.remove(element, round.reply.element);
    await this.#reopen(sent.id);
    if (error.code === 'network') await this.findOut(sent, error);
    else this.#on.refused(sent, error);
  }

  async findOut(sent, error) {
    if (await hasArrived(sent)) this.#on.arrived(sent);
    else this.#on.refused(sent, error);
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
      this.#on.refused({ id, message, files: [] }, error);
    } else if (this.#thread.newestText !== message) {
      this.#on.failed(error);
      this.#thread.editNewest(message);
    }
  }

  /** The same for one that was to begin a branch. The conversation has not changed, so it is not read again. */
  undoBranch(round, { id, sequence, message, element, putBack }, error) {
    if (round.signal.aborted) {
      this.#on.refused({ id, message, files: [] }, error);
      return;
    }
    this.#thread.remove(element, round.reply.element);
    putBack();
    this.#on.failed(error);
    this.#thread.editAt(sequence, message);
  }

  async #tellAndReopen(id, error) {
    this.#on.failed(error);
    await this.#reopen(id);
  }
}
