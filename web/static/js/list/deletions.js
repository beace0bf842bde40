/** Deleted conversations leave the page at once, and the server after a delay, so they can be undone. */

import { deleteConversation } from '../api/chat.js';
import { notify } from '../page/notices.js';
import { t } from '../text/texts.js';

const UNDO_MS = 8000;
const EXTENSION_MS = 2000; // while the pointer or the focus is on the notice

export class Deletions {
  #pending = new Map(); // {timer, dismiss} by id
  #on;

  /**
   * `on.hidden(id)`: the conversation is to leave the page. `on.restored(id)`: it stays after all.
   * `on.deleted(id)`: the server has deleted it. `on.failed(error)`: the server has not.
   */
  constructor(on) {
    this.#on = on;
    // A page that is closed offers no undo any more.
    window.addEventListener('pagehide', () => {
      for (const id of [...this.#pending.keys()]) this.#delete(id);
    });
  }

  start(id, title) {
    const { element, dismiss } = notify(t('conversation.deleted', { title }), {
      lasting: true,
      action: { label: t('conversation.undo'), run: () => this.#undo(id) },
      onDismiss: () => this.#delete(id),
    });
    this.#pending.set(id, { dismiss, timer: this.#schedule(id, element, UNDO_MS) });
    this.#on.hidden(id);
  }

  #schedule(id, notice, delayMs) {
    return setTimeout(() => {
      const pending = this.#pending.get(id);
      if (!notice.matches(':hover, :focus-within')) this.#delete(id);
      else if (pending) pending.timer = this.#schedule(id, notice, EXTENSION_MS);
    }, delayMs);
  }

  #undo(id) {
    if (this.#settle(id)) this.#on.restored(id);
  }

  async #delete(id) {
    if (!this.#settle(id)) return;
    try {
      await deleteConversation(id);
    } catch (error) {
      if (error.code !== 'not_found') { // otherwise another window has deleted it
        this.#on.restored(id);
        this.#on.failed(error);
        return;
      }
    }
    this.#on.deleted(id);
  }

  /** Ends the delay. Returns whether the deletion was still pending. */
  #settle(id) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    pending?.dismiss();
    return pending !== undefined;
  }
}
