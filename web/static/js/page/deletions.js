/** Deletions reach the server after a delay, so that they can be undone: until then nothing is gone. */

import { t } from '../text/texts.js';
import { KeptDeletions } from './kept_deletions.js';
import { notify } from './notices.js';

const UNDO_MS = 8000; // the text `erase.fact.text` says it
const EXTENSION_MS = 2000; // while the pointer or the focus is on the notice
const MARGIN_MS = 3000; // before a page carries out what another one may still extend

export class Deletions {
  #pending = new Map(); // {timer, choices, dismiss?, isOwn?} by id: what was begun on this page is its own
  #keptDeletions;
  #on;

  /**
   * `on.request(id, choices)` asks the server, also when the page is being closed; `choices` are as
   * `start` was given them. `on.hidden(id)`: it is to leave the page. `on.restored(id)`: it stays
   * after all. `on.deleted(id, answer)`: the server has deleted it; without an answer another tab has
   * asked. `on.failed(error)`: the server has not. `on.describe(id)`: what the notice says.
   */
  constructor(beginning, on) {
    this.#keptDeletions = new KeptDeletions(beginning);
    this.#on = on;
    // A page that is closed offers no undo any more.
    window.addEventListener('pagehide', () => {
      for (const [id, { isOwn }] of [...this.#pending]) if (isOwn) this.#leave(id);
    });
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.resume());
    this.#keptDeletions.watch({
      onKept: () => this.resume(),
      onUndone: (id) => this.#settle(id) && on.restored(id),
      onDropped: (id) => this.#settle(id) && on.deleted(id),
    });
  }

  /** Carries out what earlier pages have left, and what other tabs do not undo. */
  resume() {
    for (const id of this.#keptDeletions.list().filter((keptId) => !this.#pending.has(keptId))) {
      const { choices } = this.#keptDeletions.find(id);
      this.#pending.set(id, { timer: this.#await(id), choices });
      this.#on.hidden(id);
    }
  }

  start(id, choices = '') {
    const { element, dismiss } = this.#notify(id, () => this.#delete(id));
    const timer = this.#schedule(id, choices, element, UNDO_MS);
    this.#pending.set(id, { dismiss, timer, choices, isOwn: true });
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
    return notify(this.#on.describe(id), {
      lasting: true,
      action: { label: t('conversation.undo'), run: () => this.#undo(id) },
      onDismiss,
      key: `deleted-${id}`,
    });
  }

  #schedule(id, choices, notice, delayMs) {
    this.#keptDeletions.keep(id, Date.now() + delayMs, choices);
    return setTimeout(() => {
      const pending = this.#pending.get(id);
      if (!notice.matches(':hover, :focus-within')) this.#delete(id);
      else if (pending) pending.timer = this.#schedule(id, choices, notice, EXTENSION_MS);
    }, delayMs);
  }

  // The page that shows the notice may have extended the delay meanwhile.
  #await(id) {
    const { dueAt } = this.#keptDeletions.find(id) ?? { dueAt: 0 };
    const delayMs = dueAt ? dueAt + MARGIN_MS - Date.now() : 0;
    return setTimeout(() => {
      const deletion = this.#keptDeletions.find(id);
      const isDropped = deletion === null; // while this page was frozen
      if (isDropped && this.#settle(id)) this.#on.restored(id);
      else if (deletion?.dueAt > dueAt) this.#pending.get(id).timer = this.#await(id);
      else this.#carryOut(id);
    }, delayMs);
  }

  #undo(id) {
    if (!this.#settle(id)) return;
    this.#keptDeletions.dropUndone(id);
    this.#on.restored(id);
  }

  async #delete(id) {
    const pending = this.#settle(id);
    if (!pending) return;
    try {
      await this.#request(id, pending.choices);
    } catch (error) {
      this.#keptDeletions.dropUndone(id); // the reader sees that it is still there
      this.#on.restored(id);
      this.#on.failed(error);
    }
  }

  // After an error it stays hidden here, and the next page tries again.
  async #carryOut(id) {
    const pending = this.#settle(id);
    if (pending) await this.#request(id, pending.choices).catch(() => {});
  }

  async #leave(id) {
    const { choices } = this.#settle(id);
    this.#keptDeletions.keep(id, 0, choices);
    await this.#request(id, choices).catch(() => {});
  }

  async #request(id, choices) {
    let answer = null;
    try {
      answer = await this.#on.request(id, choices);
    } catch (error) {
      if (error.code !== 'not_found') throw error; // otherwise another window has deleted it
    }
    this.#keptDeletions.drop(id);
    this.#on.deleted(id, answer);
  }

  /** Ends the delay. Returns the deletion if it was still pending. */
  #settle(id) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    pending?.dismiss?.();
    return pending;
  }
}
