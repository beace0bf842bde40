/** Keeps this page in step with what other tabs and devices do. */

import { followEvents } from '../api/events.js';
import { coalesce } from '../page/coalescing.js';
import { sync } from './messages/reading_again.js';
import { ReplyChanges } from './replies/reply_changes.js';

export class InStep {
  #chat;
  #thread;
  #replies;
  #refreshList;
  #missedAttempts = []; // attempts at replies, or nulls, of what changed while a reply was followed here
  #isLeaving = false; // everything is being forgotten here: what is open need not be read again

  constructor(chat, thread, refreshList) {
    this.#chat = chat;
    this.#thread = thread;
    this.#replies = new ReplyChanges(chat, thread);
    this.#refreshList = coalesce(refreshList);
    chat.on('ended', () => this.#catchUpMissed());
    document.addEventListener('forgetting', ({ detail: isLeaving }) => {
      this.#isLeaving = isLeaving;
    });
  }

  /** Follows the server's events, and hands each one to `note`. `onReturn()`: some may have been missed. */
  follow(note, onReturn) {
    const noteAll = (event) => {
      note(event);
      this.note(event);
    };
    followEvents((event) => this.#isLeaving || noteAll(event), () => {
      onReturn();
      this.catchUp();
    });
  }

  /** `event` is one of the API's. */
  note({ type, data }) {
    if (type === 'conversation.changed') this.#noteChange(data);
    if (type === 'conversation.branched') this.catchUp(false);
    if (type === 'reply.changed' && this.#isOpen(data)) this.#replies.refresh(data.sequence);
  }

  // `attempt` is of a reply that was begun or has ended, or null.
  #noteChange({ conversation_id: id, attempt }) {
    const isOpen = this.#isOpen({ conversation_id: id });
    if ((isOpen || this.#isBegun(attempt)) && this.#chat.isLive) this.#missedAttempts.push(attempt);
    else if (!isOpen || !this.#chat.follows(attempt)) this.catchUp(isOpen);
  }

  /** A reply is followed no more. Reads again what changed meanwhile, unless it was that reply. */
  #catchUpMissed() {
    const attempts = this.#missedAttempts.splice(0);
    if (attempts.some((attempt) => !this.#chat.follows(attempt))) this.catchUp();
  }

  /** Reads again what may have changed, such as after a lost connection. */
  catchUp(withChat = true) {
    this.#refreshList();
    if (withChat) sync(this.#chat, this.#thread);
  }

  /** Whether this may be the reply in a new chat, whose id is not known yet. */
  #isBegun(attempt) {
    return this.#chat.id === null && attempt !== null;
  }

  #isOpen({ conversation_id: id }) {
    return id !== null && id === this.#chat.id;
  }
}
