/** The rounds of the open chat: messages that are sent, and their replies. */

import { branchMessage, continueReply, editMessage, retryReply, startRound } from '../../api/chat.js';
import { ApiError, createAbortError, isAbort, runOrTell } from '../../api/errors.js';
import { announce } from '../../page/notices.js';
import { t } from '../../text/texts.js';
import { bodyOf, draftOf } from '../messages/message_pages.js';
import { fillGap, showForks } from '../messages/reading_again.js';
import { readOptions } from '../welcome/chat_options.js';
import { Refusals } from './refusals.js';
import { refreshReply } from './reply_changes.js';
import { Round } from './round.js';

export class Rounds {
  #chat;
  #thread;
  #refusals;

  constructor(chat, thread) {
    this.#chat = chat;
    this.#thread = thread;
    this.#refusals = new Refusals(chat, thread);
    chat.on('unfinished', (message) => this.#resume(message));
  }

  /** `files` are the API's; `key` is of a message that may be sent twice. A new chat begins with its options. */
  async send(message, files = [], key = null) {
    const options = readOptions();
    if (this.#chat.opening && !await this.#mayFollow({ id: this.#chat.id, message, files })) return;
    const isTemporary = this.#chat.isTemporary || (!this.#chat.conversation && options.mode === 'temporary');
    await (isTemporary ? this.#sendTemporarily(message, options) : this.#sendToStore(message, options, files, key));
  }

  async #sendToStore(message, options, files, key) {
    const sent = { id: this.#chat.id, message, files };
    const mayAdd = !this.#thread.hasNewer || await this.#chat.reopen(sent.id); // it is shown at the end
    if (!mayAdd || this.#thread.hasNewer) {
      this.#chat.emit('refused', { sent, error: new ApiError({ code: 'network' }) });
      return;
    }
    sent.lastKnown = this.#thread.lastSequence;
    const element = this.#thread.addUserMessage(draftOf('user', message, files));
    const round = this.#createRound(this.#addReply(), { options });
    const body = bodyOf(message, files, this.#chat.conversation ? { conversation_id: this.#chat.id } : options);
    const refuse = (error) => this.#refusals.takeBack(round, element, sent, error);
    await this.#play(round, refuse, () => startRound(body, { key, signal: round.signal }).catch((error) => {
      if (isAbort(error)) this.#refusals.findOut(sent, error); // the reader has gone on
      throw error;
    }));
  }

  // What is sent while a conversation is being opened is meant for that one, except from a temporary
  // chat, which nothing leaves. Resolves to whether it may be sent.
  async #mayFollow({ id, ...sent }) {
    const isShown = !this.#chat.isTemporary && await this.#chat.opening;
    if (id !== this.#chat.id) this.#chat.emit('arrived', { id, ...sent });
    const mayFollow = isShown && !this.#chat.isLive;
    if (!mayFollow) this.#chat.emit('refused', { sent: { id: this.#chat.id, ...sent }, error: createAbortError() });
    return mayFollow;
  }

  async #sendTemporarily(message, { agent, persona_id: personaId, model }) {
    if (!this.#chat.isTemporary) this.#chat.beginTemporary({ agent, persona_id: personaId, model });
    const element = this.#thread.addUserMessage(draftOf('user', message));
    const round = this.#chat.temporary.createRound(this.#addReply(), message, this.#chat.signal);
    await this.#play(round, (error) => {
      this.#thread.remove(element, round.reply.element);
      this.#chat.emit('refused', { sent: { id: this.#chat.id, message, files: [] }, error });
    });
  }

  /** Asks for another reply in place of one. */
  async retry(sequence) {
    if (this.#chat.isBusy) return;
    const replaced = this.#thread.find(sequence);
    const round = this.#createRound(this.#addReply(replaced));
    const refuse = (error) => this.#refusals.undoRetry(round, { id: this.#chat.id, replaced }, error);
    await this.#play(round, refuse, () => retryReply(this.#chat.id, sequence, round.signal));
    await runOrTell(() => refreshReply(this.#place, sequence), this.#chat.fail); // it has a variant more
  }

  /** Asks for the rest of the newest reply. */
  async goOn(sequence) {
    const reply = this.#thread.replyAt(sequence);
    if (this.#chat.isBusy || !reply) return;
    const undo = reply.goOn();
    const round = this.#createRound(reply);
    const refuse = (error) => this.#refusals.undoGoingOn({ id: this.#chat.id, undo }, error);
    await this.#play(round, refuse, () => continueReply(this.#chat.id, sequence, round.signal));
  }

  /**
   * Changes the newest user message, which is then answered again. An older one is changed in a
   * branch of the conversation.
   */
  async edit(sequence, message) {
    if (this.#chat.isBusy) this.#thread.editAt(sequence, message);
    else if (this.#thread.isNewest(sequence + 1)) await this.#reword(sequence, message);
    else await this.#branch(sequence, message);
  }

  stop() {
    return this.#chat.round?.stop();
  }

  async #branch(sequence, message) {
    const { id } = this.#chat;
    const draft = draftOf('user', message, this.#thread.filesAt(sequence));
    const putBack = this.#thread.cutFrom(sequence);
    const element = this.#thread.addUserMessage(draft);
    const round = this.#createRound(this.#addReply());
    const refuse = (error) => this.#refusals.undoBranch(round, { id, sequence, message, element, putBack }, error);
    await this.#play(round, refuse, () => branchMessage(id, sequence, message, round.signal));
    await runOrTell(() => showForks(this.#place), this.#chat.fail);
  }

  async #reword(sequence, message) {
    const replaced = [sequence, sequence + 1].map((number) => this.#thread.find(number));
    const element = this.#thread.addUserMessage(draftOf('user', message, this.#thread.filesAt(sequence)), replaced[0]);
    const onStarted = () => this.#chat.emit('reworded');
    const round = this.#createRound(this.#addReply(replaced[1]), { onStarted });
    const refuse = (error) => this.#refusals.undoEdit(round, { id: this.#chat.id, message, element, replaced }, error);
    await this.#play(round, refuse, () => editMessage(this.#chat.id, sequence, message, round.signal));
  }

  /** Follows a reply that is still being written. */
  async #resume(message) {
    if (this.#chat.isBusy) return;
    const { sequence_number: sequence } = message;
    const reply = this.#thread.addReply(message, this.#thread.find(sequence), { jumps: false });
    await this.#play(this.#createRound(reply, { sequence }));
  }

  get #place() {
    return { thread: this.#thread, id: this.#chat.id, signal: this.#chat.signal };
  }

  #addReply(replaced = null) {
    return this.#thread.addReply(draftOf('assistant', ''), replaced);
  }

  #createRound(reply, { sequence = null, options = {}, onStarted = () => {} } = {}) {
    const noteStarted = (meta) => {
      this.#noteStarted(meta, options);
      onStarted();
    };
    return new Round(reply, { conversationId: this.#chat.id, sequence, signal: this.#chat.signal, onStarted: noteStarted });
  }

  #noteStarted(meta, options) {
    this.#chat.adopt(meta.conversation_id, options);
    this.#thread.numberUserMessage(meta.user_sequence);
    runOrTell(() => fillGap(this.#place, meta.user_sequence), this.#chat.fail);
    announce(t('reply.writing'));
    this.#chat.emit('started', meta.sequence);
    const { conversation } = this.#chat;
    if (conversation.archived) this.#chat.change({ ...conversation, archived: false }); // it is back in the list
  }

  /** `refuse(error)` undoes what was shown before the server refused the round. */
  async #play(round, refuse, connect) {
    this.#chat.setRound(round);
    try {
      await round.follow(connect);
    } catch (error) {
      if (!isAbort(error)) await this.#fail(round, refuse, error);
    }
    this.#chat.noteAttempt(round.cursor.attempt);
    if (this.#chat.round !== round) return; // another conversation or another round by now
    this.#chat.setRound(null);
    announce(round.reply.ending);
    this.#chat.emit('ended', round.reply);
  }

  #fail(round, refuse, error) {
    if (round.cursor.sequence === null) return refuse(error);
    return round.reply.lose(error, () => this.#play(round));
  }
}
