/** What is deleted leaves the page at once, and the server a little later: until then it can be had back. */

import { deleteConversation } from './api.js';
import { notify } from './notices.js';
import { t } from './texts.js';

const UNDO_MS = 8000;
const LONGER_MS = 2000; // while the reader's hand is on the button

export class Deletions {
  #waiting = new Map(); // by id: {timer, dismiss, title}
  #on;

  /**
   * `on.hidden(id)`: it is to leave the page; `on.back(id)`: it stays after all; `on.gone(id)`:
   * it is deleted; `on.failed(error)`: it could not be.
   */
  constructor(on) {
    this.#on = on;
    // Nobody can undo it on a page that is left.
    window.addEventListener('pagehide', () => [...this.#waiting.keys()].forEach((id) => this.#delete(id)));
  }

  start(id, title) {
    const { element, dismiss } = notify(t('conversation.deleted', { title }), {
      lasting: true,
      action: { label: t('conversation.undo'), run: () => this.#undo(id) },
      onDismiss: () => this.#delete(id),
    });
    this.#waiting.set(id, { dismiss, timer: this.#wait(id, element, UNDO_MS) });
    this.#on.hidden(id);
  }

  #wait(id, notice, ms) {
    return setTimeout(() => {
      if (!notice.matches(':hover, :focus-within')) this.#delete(id);
      else if (this.#waiting.has(id)) this.#waiting.get(id).timer = this.#wait(id, notice, LONGER_MS);
    }, ms);
  }

  #undo(id) {
    if (this.#settle(id)) this.#on.back(id);
  }

  async #delete(id) {
    if (!this.#settle(id)) return;
    try {
      await deleteConversation(id);
      this.#on.gone(id);
    } catch (error) {
      if (error.code === 'not_found') this.#on.gone(id); // another window was quicker
      else this.#refuse(id, error);
    }
  }

  #refuse(id, error) {
    this.#on.back(id);
    this.#on.failed(error);
  }

  /** Whether it was still open what becomes of it. */
  #settle(id) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    waiting?.dismiss();
    return waiting !== undefined;
  }
}
