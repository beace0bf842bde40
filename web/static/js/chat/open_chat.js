/**
 * The open chat: its conversation and its state. What happens to it are events, to which the messages,
 * the header, the list, the panel and the composer listen. `Rounds` is what is written in it.
 */

import { listMessages } from '../api/chat.js';
import { runOrTell } from '../api/errors.js';
import { setAddress } from '../page/address.js';
import { Emitter } from '../page/emitter.js';
import { notifyError } from '../page/failures.js';
import { splitOpen } from './messages/message_pages.js';
import { TemporaryChat } from './replies/temporary_chat.js';
import { readOptions } from './welcome/chat_options.js';

/**
 * Events, with what their listeners are given:
 *
 * - `shown` {isOther, isLive, page}: a conversation or a new chat is shown, or the same one at another
 *   place. `isLive`: a reply is being written in it. `page` is the API's; null leaves the messages.
 * - `begun`: the new chat is stored as a conversation by now, or a branch as one of its own.
 * - `started` sequence: the server has stored a message; its reply has this number.
 * - `reworded`: the newest message was changed, and what it had taught is forgotten.
 * - `unfinished` message: a reply was loaded that is still being written.
 * - `live` isLive: whether a reply is being written. `ended` reply: it is no more.
 * - `refused` {sent, error}: a message, {id, message, files}, was not stored in conversation `id`.
 * - `arrived` sent: it was stored, although the server's answer was lost or not awaited, or it has gone
 *   on with the reader to another conversation.
 * - `changed` {id, changes}: a conversation, open or not, has other values: {title?, mode?, …}.
 */
export class OpenChat extends Emitter {
  #conversation = null;
  #temporary = null; // the chat of which nothing is stored
  #round = null; // whose reply is being written
  #attempt = null; // at the reply that was followed last
  #visit = new AbortController(); // cancels the requests of a conversation that the reader leaves
  #opening = null; // resolves to whether the conversation that the reader goes to is shown

  /** The API's conversation without its messages, or null for a new chat. */
  get conversation() {
    return this.#conversation;
  }

  /** The conversation's; null for a new chat, and for one that is not stored. */
  get id() {
    return this.#conversation?.conversation_id ?? null;
  }

  /** What it has in common with the other branches of its chat; null like `id`. */
  get chatId() {
    return this.#conversation?.chat_id ?? null;
  }

  /** For requests: they are cancelled when the reader leaves. */
  get signal() {
    return this.#visit.signal;
  }

  get round() {
    return this.#round;
  }

  get isLive() {
    return this.#round !== null;
  }

  /** No round is begun while another conversation is on its way. */
  get isBusy() {
    return this.isLive || this.#opening !== null;
  }

  /** Resolves to whether the conversation that the reader goes to is shown; null while there is none. */
  get opening() {
    return this.#opening;
  }

  /** A `TemporaryChat`, or null. */
  get temporary() {
    return this.#temporary;
  }

  get isTemporary() {
    return this.#temporary !== null;
  }

  /** Whether nothing of it is kept, also not in the browser. */
  get isPrivate() {
    return this.isTemporary || (!this.#conversation && readOptions().mode === 'temporary');
  }

  /** Whether a reply is one that is written here just now. */
  isWriting(reply) {
    return this.#round?.reply === reply;
  }

  /** Whether a reply that was begun or has ended is one that this page shows as it is written. */
  follows(attempt) {
    return attempt !== null && [this.#attempt, this.#round?.cursor.attempt].includes(attempt);
  }

  /**
   * Whether a change of a conversation may be that a reply was begun, or has ended, which this page shows as it is written.
   * The id of a new chat, and the attempt, may come after the news of them.
   */
  mayWrite({ conversation_id: id, attempt }) {
    const mayBeOpen = this.id === null || this.id === id;
    return attempt !== null && mayBeOpen && (this.isLive || this.follows(attempt));
  }

  /** Shows the newest messages of a conversation, or those around one. Resolves to whether it did. */
  async open(id, around = null, failed = this.fail) {
    this.leave();
    const { signal } = this;
    const opening = runOrTell(async () => this.show(await listMessages(id, { around, signal })), failed);
    this.#opening = opening;
    const isShown = await opening;
    if (this.#opening === opening) this.#opening = null;
    return isShown;
  }

  /** Shows the open conversation around a message, or at its end for null. */
  openAt(sequence) {
    return this.open(this.id, sequence);
  }

  /** Reads a conversation again, without a word when that fails. Resolves to whether the reader is still there. */
  async reopen(id) {
    const opening = this.open(id, null, () => {});
    const { signal } = this;
    await opening;
    return !signal.aborted;
  }

  /** `page` is the API's page of a conversation's messages. */
  show({ messages: all, has_more, has_newer, forks, ...conversation }) {
    const { messages, open } = splitOpen(all);
    this.#opening = null;
    this.#temporary = null;
    this.#set(conversation, { page: { messages, has_more, has_newer, forks }, isLive: open !== null });
    if (open) this.emit('unfinished', open);
  }

  startNew() {
    this.leave();
    this.#temporary = null;
    this.#set(null, { page: { messages: [], has_more: false } });
  }

  /** The new chat is one of which nothing is stored. `choice` is {agent?, persona_id?, model?}. */
  beginTemporary(choice) {
    this.#temporary = new TemporaryChat(choice);
    this.#set(this.#temporary.conversation);
  }

  /** The server has stored a message in conversation `id`. `options` are those of a new chat. */
  adopt(id, options) {
    const previousId = this.id;
    this.#conversation ??= options;
    if (id === previousId) return;
    this.#conversation = { chat_id: id, ...this.#conversation, conversation_id: id }; // a new chat or a branch
    setAddress({ id }, { replace: previousId === null });
    this.emit('begun');
  }

  setRound(round) {
    this.#round = round;
    this.emit('live', this.isLive);
  }

  /** A reply is followed no more. */
  noteAttempt(attempt) {
    this.#attempt = attempt ?? this.#attempt;
  }

  /** `changes` is {conversation_id?, title?, mode?, model?, archived?}: what the server has now. */
  change({ conversation_id: id = this.id, ...changes }) {
    if (id === this.id) Object.assign(this.#conversation, changes); // the reader may have gone on
    this.emit('changed', { id, changes });
  }

  /** Tells what went wrong. A conversation that is gone is left. */
  fail = (error) => {
    notifyError(error);
    if (error.code === 'not_found') this.close();
  };

  /** Goes on to a new chat, from which no way leads back. */
  close() {
    setAddress({ id: null }, { replace: true });
    this.startNew();
  }

  /** Cancels what is requested and followed. */
  leave() {
    this.#visit.abort();
    this.#visit = new AbortController();
    this.#opening = null;
    this.setRound(null);
  }

  #set(conversation, { page = null, isLive = false } = {}) {
    const previousId = this.id;
    this.#conversation = conversation;
    this.emit('shown', { isOther: this.id !== previousId || this.id === null, isLive, page });
  }
}
