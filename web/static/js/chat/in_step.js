/** Keeps this page in step with what other tabs and devices do. */

const PAUSE_MS = 150; // several changes often come together

export class InStep {
  #chat;
  #on;
  #timer = null;
  #missed = []; // attempts at replies, or nulls, of what changed while a reply was followed here
  isLeaving = false; // everything is being forgotten here: what is open need not be read again

  /** `on.currentId()` is the open conversation's. `on.refreshList()` reads the list again. */
  constructor(chat, on) {
    this.#chat = chat;
    this.#on = on;
    document.addEventListener('forgetting', ({ detail: isLeaving }) => {
      this.isLeaving = isLeaving;
    });
  }

  /** `event` is one of the API's. */
  note({ type, data }) {
    if (type === 'conversation.changed') this.#noteChange(data);
    if (type === 'conversation.branched') this.catchUp(false);
  }

  // `attempt` is of a reply that was begun or has ended, or null.
  #noteChange({ conversation_id: id, attempt }) {
    const isOpen = id === this.#on.currentId();
    if (isOpen && this.#chat.isLive) this.#missed.push(attempt);
    else if (!isOpen || !this.#chat.follows(attempt)) this.catchUp(isOpen);
  }

  /** A reply is followed no more. Reads again what changed meanwhile, unless it was that reply. */
  catchUpMissed() {
    const missed = this.#missed.splice(0);
    if (missed.some((attempt) => !this.#chat.follows(attempt))) this.catchUp();
  }

  /** Reads again what may have changed, such as after a lost connection. */
  catchUp(withChat = true) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#on.refreshList, PAUSE_MS);
    if (withChat) this.#chat.sync();
  }
}
