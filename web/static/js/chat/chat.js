/** The open conversation, and the round that is in progress in it. */

import {
  branchMessage, continueReply, editMessage, getTrace, listMessages, retryReply, startRound,
} from '../api/chat.js';
import { ApiError, isAbort, tried } from '../api/errors.js';
import { draftOf, splitOpen } from './message_pages.js';
import { fillGap, readAgain, showForks } from './reading_again.js';
import { refreshReply } from './reply_changes.js';
import { Round } from './round.js';
import { TemporaryChat } from './temporary_chat.js';

export class Chat {
  #conversation = null;
  #round = null; // whose reply is being written
  #attempt = null; // at the reply that was followed last
  #temporary = null; // the chat of which nothing is stored
  #visit = new AbortController(); // cancels the requests of a conversation that the reader leaves
  #thread;
  #on;

  /**
   * `on.opened(conversation | null, isLive)`: a conversation or a new chat is shown; `isLive` tells
   * whether a reply is being written in it.
   * `on.started(conversation, sequence)`: the server has stored a message; `sequence` is the reply's.
   * `on.live(isLive)`: whether a reply is being written. `on.ended(reply)`: it is no more.
   * `on.refused(message, error)`: a message was not stored. `on.arrived()`: it was stored, although
   * the server's answer was lost. `on.changed(conversation)`: it was read again, after a change
   * elsewhere. `on.failed(error)`: anything else went wrong.
   */
  constructor(thread, on) {
    this.#thread = thread;
    this.#on = on;
  }

  get isLive() {
    return this.#round !== null;
  }

  /** The API's conversation without its messages, or null for a new chat. */
  get conversation() {
    return this.#conversation;
  }

  /** Shows the newest messages of a conversation, or those around one. */
  async open(id, around = null) {
    this.#leave();
    const { signal } = this.#visit;
    try {
      this.#show(await listMessages(id, { around, signal }));
    } catch (error) {
      if (!isAbort(error)) this.#on.failed(error);
    }
  }

  /** Whether a reply is one that is written here just now. */
  isWriting(reply) {
    return this.#round?.reply === reply;
  }

  startNew() {
    this.#leave();
    this.#conversation = null;
    this.#thread.show({ messages: [], has_more: false });
    this.#on.opened(null, false);
  }

  get isTemporary() {
    return this.#temporary !== null;
  }

  /** `options` is {agent?, mode} and is used for a new chat only. */
  async send(message, options) {
    if (this.isTemporary || (!this.#conversation && options.mode === 'temporary')) {
      await this.#sendTemporarily(message, options.agent);
      return;
    }
    if (this.#thread.hasNewer) await this.open(this.#id); // the message is shown at the end
    if (this.#thread.hasNewer) {
      this.#on.refused(message, new ApiError({ code: 'network' }));
      return;
    }
    const lastKnown = this.#thread.lastSequence;
    const element = this.#thread.addUserMessage(draftOf('user', message));
    const round = this.#createRound(this.#addReply(), { options });
    const body = this.#conversation ? { message, conversation_id: this.#id } : { message, ...options };
    const refuse = (error) => this.#takeBack(round, { message, element, lastKnown }, error);
    await this.#play(round, refuse, () => startRound(body, round.signal));
  }

  async #sendTemporarily(message, agent) {
    if (!this.isTemporary) {
      this.#temporary = new TemporaryChat(agent);
      this.#conversation = this.#temporary.conversation;
      this.#on.opened(this.#conversation, false);
    }
    const element = this.#thread.addUserMessage(draftOf('user', message));
    const round = this.#temporary.createRound(this.#addReply(), message, this.#visit.signal);
    await this.#play(round, (error) => {
      this.#thread.remove(element, round.reply.element);
      this.#on.refused(message, error);
    });
  }

  /** Asks for another reply in place of one. */
  async retry(sequence) {
    if (this.isLive) return;
    const round = this.#createRound(this.#addReply(this.#thread.find(sequence)));
    await this.#play(round, (error) => this.#reload(error), () => retryReply(this.#id, sequence, round.signal));
    await tried(() => refreshReply(this.place, sequence), this.#on.failed); // it has a variant more
  }

  /** Asks for the rest of the newest reply. */
  async goOn(sequence) {
    const reply = this.#thread.replyAt(sequence);
    if (this.isLive || !reply) return;
    reply.goOn();
    const round = this.#createRound(reply);
    await this.#play(round, (error) => this.#reload(error), () => continueReply(this.#id, sequence, round.signal));
  }

  /**
   * Changes the newest user message, which is then answered again. An older one is changed in a
   * branch of the conversation.
   */
  async edit(sequence, message) {
    if (this.isLive) this.#thread.editAt(sequence, message);
    else if (this.#thread.isNewest(sequence + 1)) await this.#reword(sequence, message);
    else await this.#branch(sequence, message);
  }

  async #branch(sequence, message) {
    this.#thread.cutFrom(sequence);
    this.#thread.addUserMessage(draftOf('user', message));
    const round = this.#createRound(this.#addReply());
    const refuse = async (error) => {
      await this.#reload(error);
      this.#thread.editAt(sequence, message);
    };
    await this.#play(round, refuse, () => branchMessage(this.#id, sequence, message, round.signal));
    await tried(() => showForks(this.place), this.#on.failed);
  }

  async #reword(sequence, message) {
    const replaced = [sequence, sequence + 1].map((number) => this.#thread.find(number));
    const element = this.#thread.addUserMessage(draftOf('user', message), replaced[0]);
    const round = this.#createRound(this.#addReply(replaced[1]));
    const refuse = (error) => this.#undoEdit(round, { message, element, replaced }, error);
    await this.#play(round, refuse, () => editMessage(this.#id, sequence, message, round.signal));
  }

  /** Follows a reply that is still being written. */
  async resume(message) {
    if (this.isLive) return;
    const { sequence_number: sequence } = message;
    const reply = this.#thread.addReply(message, this.#thread.find(sequence), { jumps: false });
    await this.#play(this.#createRound(reply, { sequence }));
  }

  stop() {
    return this.#round?.stop();
  }

  /** Whether a reply that was begun or has ended is one that this page shows as it is written. */
  follows(attempt) {
    return attempt !== null && [this.#attempt, this.#round?.cursor.attempt].includes(attempt);
  }

  /** Shows what has changed elsewhere. */
  async sync() {
    if (!this.#id || this.isTemporary || this.isLive || this.#thread.hasNewer) return;
    try {
      const page = await readAgain(this.place);
      if (this.isLive) return; // a round was begun here meanwhile
      if (page.isFar) this.#show(page);
      else if (page.open) this.resume(page.open);
      this.#on.changed(page);
    } catch (error) {
      if (error.code === 'not_found') this.#on.failed(error);
    }
  }

  /** A page of messages before a sequence number. */
  older(before) {
    return listMessages(this.#id, { before, signal: this.#visit.signal });
  }

  /** A page after a sequence number. `open` is a reply in it that is still being written. */
  async newer(after) {
    const page = await listMessages(this.#id, { after, signal: this.#visit.signal });
    return { ...page, ...splitOpen(page.messages) };
  }

  /** Shows the open conversation around a message, or at its end for null. */
  openAt(sequence) {
    return this.open(this.#id, sequence);
  }

  trace(sequence) {
    return getTrace(this.#id, sequence, this.#visit.signal);
  }

  /** The open conversation has changed. `changes` is {title?, mode?}. */
  update(changes) {
    Object.assign(this.#conversation, changes);
  }

  /** The open conversation, for those who change its messages: {thread, id, signal}. */
  get place() {
    return { thread: this.#thread, id: this.#id, signal: this.#visit.signal };
  }

  get #id() {
    return this.#conversation?.conversation_id;
  }

  #leave() {
    this.#visit.abort();
    this.#visit = new AbortController();
    this.#temporary = null;
    this.#setRound(null);
  }

  #setRound(round) {
    this.#round = round;
    this.#on.live(this.isLive);
  }

  #show({ messages: all, has_more, has_newer, forks, ...conversation }) {
    this.#conversation = conversation;
    const { messages, open } = splitOpen(all);
    this.#thread.show({ messages, has_more, has_newer, forks });
    this.#on.opened(conversation, open !== null);
    if (open) this.resume(open);
  }

  #addReply(replaced = null) {
    return this.#thread.addReply(draftOf('assistant', ''), replaced);
  }

  #createRound(reply, { sequence = null, options = {} } = {}) {
    const onStarted = (meta) => this.#noteStarted(meta, options);
    return new Round(reply, { conversationId: this.#id, sequence, signal: this.#visit.signal, onStarted });
  }

  #noteStarted(meta, options) {
    this.#conversation ??= options;
    if (this.#id !== meta.conversation_id) { // a new chat or a branch
      this.#conversation = { ...this.#conversation, conversation_id: meta.conversation_id };
    }
    this.#thread.numberUserMessage(meta.user_sequence);
    tried(() => fillGap(this.place, meta.user_sequence), this.#on.failed);
    this.#on.started(this.#conversation, meta.sequence);
  }

  /** `refuse(error)` undoes what was shown before the server refused the round. */
  async #play(round, refuse, connect) {
    this.#setRound(round);
    try {
      await round.follow(connect);
    } catch (error) {
      if (!isAbort(error)) await this.#fail(round, refuse, error);
    }
    this.#attempt = round.cursor.attempt ?? this.#attempt;
    if (this.#round !== round) return; // another conversation or another round by now
    this.#setRound(null);
    this.#on.ended(round.reply);
  }

  #fail(round, refuse, error) {
    if (round.cursor.sequence === null) return refuse(error);
    return round.reply.lose(error, () => this.#play(round));
  }

  async #reload(error) {
    this.#on.failed(error);
    await this.open(this.#id);
  }

  // Without an answer the message may have been stored all the same, so the server is asked first.
  async #takeBack(round, { message, element, lastKnown }, error) {
    this.#thread.remove(element, round.reply.element);
    if (this.#id) await this.open(this.#id);
    else this.startNew();
    const hasArrived = error.code === 'network' && this.#thread.lastSequence > lastKnown;
    if (hasArrived) this.#on.arrived();
    else this.#on.refused(message, error);
  }

  // The same for an edited message. One that was not stored is offered to be edited again.
  async #undoEdit(round, { message, element, replaced }, error) {
    this.#thread.remove(element, round.reply.element);
    this.#thread.restore(replaced);
    await this.open(this.#id);
    if (this.#thread.newestText === message) return;
    this.#on.failed(error);
    this.#thread.editNewest(message);
  }
}
