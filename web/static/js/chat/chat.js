/** The open conversation, and the round that is in progress in it. */

import { branchMessage, continueReply, editMessage, listMessages, retryReply, startRound } from '../api/chat.js';
import { ApiError, cancelled, isAbort, tried } from '../api/errors.js';
import { bodyOf, draftOf, splitOpen } from './messages/message_pages.js';
import { fillGap, readAgain, showForks } from './messages/reading_again.js';
import { Refusals } from './replies/refusals.js';
import { refreshReply } from './replies/reply_changes.js';
import { Round } from './replies/round.js';
import { TemporaryChat } from './replies/temporary_chat.js';

export class Chat {
  #conversation = null;
  #round = null; // whose reply is being written
  #attempt = null; // at the reply that was followed last
  #temporary = null; // the chat of which nothing is stored
  #visit = new AbortController(); // cancels the requests of a conversation that the reader leaves
  #opening = null; // resolves to whether the conversation that the reader goes to is shown
  #thread;
  #on;
  #refusals;

  /**
   * `on.shown(conversation | null, isLive)`: a conversation or a new chat is shown; `isLive` tells
   * whether a reply is being written in it.
   * `on.started(conversation, sequence)`: the server has stored a message; `sequence` is the reply's.
   * `on.live(isLive)`: whether a reply is being written. `on.ended(reply)`: it is no more.
   * `on.refused(sent, error)`: a message, {id, message, files}, was not stored in conversation `id`.
   * `on.arrived(sent)`: it was stored, although the server's answer was lost or not awaited, or it has
   * gone on with the reader to another conversation.
   * `on.changed(conversation)`: it was read again. `on.failed(error)`: anything else went wrong.
   */
  constructor(thread, on) {
    this.#thread = thread;
    this.#on = on;
    this.#refusals = new Refusals(thread, (id) => (id ? this.#reopen(id) : this.#leave()), on);
  }

  get isLive() {
    return this.#round !== null;
  }

  /** The API's conversation without its messages, or null for a new chat. */
  get conversation() {
    return this.#conversation;
  }

  /** Shows the newest messages of a conversation, or those around one. Resolves to whether it did. */
  async open(id, around = null, failed = this.#on.failed) {
    this.#leave();
    const { signal } = this.#visit;
    const opening = tried(async () => this.#show(await listMessages(id, { around, signal })), failed);
    this.#opening = opening;
    const isShown = await opening;
    if (this.#opening === opening) this.#opening = null;
    return isShown;
  }

  /** Whether a reply is one that is written here just now. */
  isWriting(reply) {
    return this.#round?.reply === reply;
  }

  startNew() {
    this.#leave();
    this.#conversation = null;
    this.#temporary = null;
    this.#thread.show({ messages: [], has_more: false });
    this.#on.shown(null, false);
  }

  get isTemporary() {
    return this.#temporary !== null;
  }

  /** `options` is {agent?, persona_id?, mode, model?} and is used for a new chat only. `files` are the API's; `key` is of one that may be sent twice. */
  async send(message, options, files = [], key = null) {
    if (this.#opening && !await this.#mayFollow({ id: this.#id, message, files })) return;
    const isTemporary = this.isTemporary || (!this.#conversation && options.mode === 'temporary');
    await (isTemporary ? this.#sendTemporarily(message, options) : this.#sendToStore(message, options, files, key));
  }

  async #sendToStore(message, options, files, key) {
    const sent = { id: this.#id, message, files };
    const mayAdd = !this.#thread.hasNewer || await this.#reopen(sent.id); // it is shown at the end
    if (!mayAdd || this.#thread.hasNewer) {
      this.#on.refused(sent, new ApiError({ code: 'network' }));
      return;
    }
    sent.lastKnown = this.#thread.lastSequence;
    const element = this.#thread.addUserMessage(draftOf('user', message, files));
    const round = this.#createRound(this.#addReply(), { options });
    const body = bodyOf(message, files, this.#conversation ? { conversation_id: this.#id } : options);
    const refuse = (error) => this.#refusals.takeBack(round, element, sent, error);
    await this.#play(round, refuse, () => startRound(body, { key, signal: round.signal }).catch((error) => {
      if (isAbort(error)) this.#refusals.findOut(sent, error); // the reader has gone on
      throw error;
    }));
  }

  // What is sent while a conversation is being opened is meant for that one, except from a temporary
  // chat, which nothing leaves. Resolves to whether it may be sent.
  async #mayFollow({ id, ...sent }) {
    const isShown = !this.isTemporary && await this.#opening;
    if (id !== this.#id) this.#on.arrived({ id, ...sent });
    const mayFollow = isShown && !this.isLive;
    if (!mayFollow) this.#on.refused({ id: this.#id, ...sent }, cancelled());
    return mayFollow;
  }

  async #sendTemporarily(message, { agent, persona_id: personaId, model }) {
    if (!this.isTemporary) {
      this.#temporary = new TemporaryChat({ agent, persona_id: personaId, model });
      this.#conversation = this.#temporary.conversation;
      this.#on.shown(this.#conversation, false);
    }
    const element = this.#thread.addUserMessage(draftOf('user', message));
    const round = this.#temporary.createRound(this.#addReply(), message, this.#visit.signal);
    await this.#play(round, (error) => {
      this.#thread.remove(element, round.reply.element);
      this.#on.refused({ id: this.#id, message, files: [] }, error);
    });
  }

  /** Asks for another reply in place of one. */
  async retry(sequence) {
    if (this.#isBusy) return;
    const replaced = this.#thread.find(sequence);
    const round = this.#createRound(this.#addReply(replaced));
    const refuse = (error) => this.#refusals.undoRetry(round, { id: this.#id, replaced }, error);
    await this.#play(round, refuse, () => retryReply(this.#id, sequence, round.signal));
    await tried(() => refreshReply(this.place, sequence), this.#on.failed); // it has a variant more
  }

  /** Asks for the rest of the newest reply. */
  async goOn(sequence) {
    const reply = this.#thread.replyAt(sequence);
    if (this.#isBusy || !reply) return;
    const undo = reply.goOn();
    const round = this.#createRound(reply);
    const refuse = (error) => this.#refusals.undoGoingOn({ id: this.#id, undo }, error);
    await this.#play(round, refuse, () => continueReply(this.#id, sequence, round.signal));
  }

  /**
   * Changes the newest user message, which is then answered again. An older one is changed in a
   * branch of the conversation.
   */
  async edit(sequence, message) {
    if (this.#isBusy) this.#thread.editAt(sequence, message);
    else if (this.#thread.isNewest(sequence + 1)) await this.#reword(sequence, message);
    else await this.#branch(sequence, message);
  }

  async #branch(sequence, message) {
    const id = this.#id;
    const draft = draftOf('user', message, this.#thread.filesAt(sequence));
    const putBack = this.#thread.cutFrom(sequence);
    const element = this.#thread.addUserMessage(draft);
    const round = this.#createRound(this.#addReply());
    const refuse = (error) => this.#refusals.undoBranch(round, { id, sequence, message, element, putBack }, error);
    await this.#play(round, refuse, () => branchMessage(this.#id, sequence, message, round.signal));
    await tried(() => showForks(this.place), this.#on.failed);
  }

  async #reword(sequence, message) {
    const replaced = [sequence, sequence + 1].map((number) => this.#thread.find(number));
    const element = this.#thread.addUserMessage(draftOf('user', message, this.#thread.filesAt(sequence)), replaced[0]);
    const round = this.#createRound(this.#addReply(replaced[1]));
    const refuse = (error) => this.#refusals.undoEdit(round, { id: this.#id, message, element, replaced }, error);
    await this.#play(round, refuse, () => editMessage(this.#id, sequence, message, round.signal));
  }

  /** Follows a reply that is still being written. */
  async resume(message) {
    if (this.#isBusy) return;
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
    if (!this.#id || this.isTemporary || this.#isBusy || this.#thread.hasNewer) return;
    try {
      const page = await readAgain(this.place, () => !this.#isBusy);
      if (!page) return; // a round was begun here meanwhile, or the reader goes on
      if (page.isFar) this.#show(page);
      else if (page.open) this.resume(page.open);
      this.#on.changed(page);
    } catch (error) {
      if (error.code === 'not_found') this.#on.failed(error);
    }
  }

  /** Shows the open conversation around a message, or at its end for null. */
  openAt(sequence) {
    return this.open(this.#id, sequence);
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

  // No round is begun while another conversation is on its way.
  get #isBusy() {
    return this.isLive || this.#opening !== null;
  }

  #leave() {
    this.#visit.abort();
    this.#visit = new AbortController();
    this.#opening = null;
    this.#setRound(null);
  }

  #setRound(round) {
    this.#round = round;
    this.#on.live(this.isLive);
  }

  #show({ messages: all, has_more, has_newer, forks, ...conversation }) {
    this.#conversation = conversation;
    this.#opening = null;
    this.#temporary = null;
    const { messages, open } = splitOpen(all);
    this.#thread.show({ messages, has_more, has_newer, forks });
    this.#on.shown(conversation, open !== null);
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

  // Without a word when that fails. Resolves to whether the reader is still there.
  async #reopen(id) {
    const opening = this.open(id, null, () => {});
    const { signal } = this.#visit;
    await opening;
    return !signal.aborted;
  }
}
