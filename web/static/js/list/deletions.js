/** Deleted conversations leave the page at once, and the server after a delay, so they can be undone. */

import { deleteConversation } from '../api/chat.js';
import { notify } from '../page/notices.js';
import { t } from '../text/texts.js';
import {
  dropDeletion, dropUndone, findDueAt, keepDeletion, listDeletions, watchDeletions,
} from './kept_deletions.js';

const UNDO_MS = 8000;
const EXTENSION_MS = 2000; // while the pointer or the focus is on the notice
const MARGIN_MS = 3000; // before a page carries out what another one may still extend

export class Deletions {
  #pending = new Map(); // {timer, dismiss?, isOwn?} by id: what was begun on this page is its own
  #on;

  /**
   * `on.hidden(id)`: the conversation is to leave the page. `on.restored(id)`: it stays after all.
   * `on.deleted(id)`: the server has deleted it. `on.failed(error)`: the server has not.
   * `on.titleOf(id)`: what the notice calls it.
   */
  constructor(on) {
    this.#on = on;
    // A page that is closed offers no undo any more.
    window.addEventListener('pagehide', () => {
      for (const [id, { isOwn }] of [...this.#pending]) if (isOwn) this.#leave(id);
    });
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.resume());
    watchDeletions({
      onKept: () => this.resume(),
      onUndone: (id) => this.#settle(id) && on.restored(id),
      onDropped: (id) => this.#settle(id) && on.deleted(id),
    });
  }

  /** Carries out what earlier pages have left, and what other tabs do not undo. */
  resume() {
    for (const id of listDeletions().filter((one) => !this.#pending.has(one))) {
      this.#pending.set(id, { timer: this.#await(id) });
      this.#on.hidden(id);
    }
  }

  start(id) {
    const { element, dismiss } = this.#notify(id, () => this.#delete(id));
    this.#pending.set(id, { dismiss, timer: this.#schedule(id, element, UNDO_MS), isOwn: true });
    this.#on.hidden(id);
  }

  isPending(id) {
    return this.#pending.has(id);
  }

  /** Tells that a conversation is being deleted which the reader has open here, or wants to open. */
  offerUndo(id) {
    const pending = this.#pending.get(id);
    if (!pending.isOwn) pending.dismiss = this.#notify(id).dismiss;
  }

  #notify(id, onDismiss) {
    return notify(t('conversation.deleted', { title: this.#on.titleOf(id) }), {
      lasting: true,
      action: { label: t('conversation.undo'), run: () => this.#undo(id) },
      onDismiss,
      key: `deleted-${id}`,
    });
  }

  #schedule(id, notice, delayMs) {
    keepDeletion(id, Date.now() + delayMs);
    return setTimeout(() => {
      const pending = this.#pending.get(id);
      if (!notice.matches(':hover, :focus-within')) this.#delete(id);
      else if (pending) pending.timer = this.#schedule(id, notice, EXTENSION_MS);
    }, delayMs);
  }

  // The page that shows the notice may have extended the delay meanwhile.
  #await(id) {
    const dueAt = findDueAt(id);
    const delayMs = dueAt ? dueAt + MARGIN_MS - Date.now() : 0;
    return setTimeout(() => {
      const isDropped = findDueAt(id) === null; // while this page was frozen
      if (isDropped && this.#settle(id)) this.#on.restored(id);
      else if (findDueAt(id) > dueAt) this.#pending.get(id).timer = this.#await(id);
      else this.#carryOut(id);
    }, delayMs);
  }

  #undo(id) {
    if (!this.#settle(id)) return;
    dropUndone(id);
    this.#on.restored(id);
  }

  async #delete(id) {
    if (!this.#settle(id)) return;
    try {
      await this.#request(id);
    } catch (error) {
      dropUndone(id); // the reader sees that it is still there
      this.#on.restored(id);
      this.#on.failed(error);
    }
  }

  // After an error it stays hidden here, and the next page tries again.
  async #carryOut(id) {
    if (this.#settle(id)) await this.#request(id).catch(() => {});
  }

  async #leave(id) {
    if (!this.#settle(id)) return;
    keepDeletion(id, 0);
    await this.#request(id).catch(() => {});
  }

  async #request(id) {
    try {
      await deleteConversation(id);
    } catch (error) {
      if (error.code !== 'not_found') throw error; // otherwise another window has deleted it
    }
    dropDeletion(id);
    this.#on.deleted(id);
  }

  /** Ends the delay. Returns whether the deletion was still pending. */
  #settle(id) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    pending?.dismiss?.();
    return pending !== undefined;
  }
}
