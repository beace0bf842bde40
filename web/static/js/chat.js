/** The conversation that is open, and the round that is being played in it. */

import * as api from './api.js';
import { ApiError, isAbort } from './errors.js';
import { Round } from './round.js';

export class Chat {
  #conversation = null;
  #round = null; // the one whose reply is being written
  #visit = new AbortController(); // ends what belongs to the conversation that is left
  #thread;
  #on;

  /**
   * `on` is told: `opened(conversation | null)`, `started(conversation, sequence)` when the
   * server has a message (`sequence` is the reply's), `live(isLive)`, `ended(reply)` after a round, `refused(message, error)` when a message was
   * not taken, `arrived()` when it was although no answer came, and `failed(error)`.
   */
  constructor(thread, on) {
    this.#thread = thread;
    this.#on = on;
  }

  get isLive() {
    return this.#round !== null;
  }

  /** Shows the newest messages, or those around one. */
  async open(id, around = null) {
    this.#leave();
    const { signal } = this.#visit;
    try {
      this.#show(await api.listMessages(id, { around, signal }));
    } catch (error) {
      if (!isAbort(error)) this.#on.failed(error);
    }
  }

  startNew() {
    this.#leave();
    this.#conversation = null;
    this.#thread.show({ messages: [], has_more: false });
    this.#on.opened(null);
  }

  /** `choice` is {agent, mode}; only a new chat has one to make. */
  async send(message, choice) {
    if (this.#thread.hasNewer) await this.open(this.#id); // what is said stands at the end
    if (this.#thread.hasNewer) return this.#on.refused(message, new ApiError({ code: 'network' }));
    const known = this.#thread.lastSequence;
    const question = this.#thread.addQuestion(draftOf('user', message));
    const round = this.#newRound(this.#addReply(), { choice });
    const body = this.#conversation ? { message, conversation_id: this.#id } : { message, ...choice };
    const refuse = (error) => this.#takeBack(round, { message, question, known }, error);
    return this.#play(round, refuse, () => api.startRound(body, round.signal));
  }

  retry(sequence) {
    if (this.isLive) return null;
    const round = this.#newRound(this.#addReply(this.#thread.find(sequence)));
    const refuse = (error) => this.#reload(error);
    return this.#play(round, refuse, () => api.retryReply(this.#id, sequence, round.signal));
  }

  /** Goes on with the newest reply, in its own place. */
  goOn(sequence) {
    const reply = this.#thread.replyAt(sequence);
    if (this.isLive || !reply) return null;
    reply.goOn();
    const refuse = (error) => this.#reload(error);
    return this.#play(this.#newRound(reply), refuse, () => api.continueReply(this.#id, sequence, this.#visit.signal));
  }

  /** Puts the newest question in other words, and has it answered anew. */
  edit(sequence, message) {
    if (this.isLive) return null;
    const old = [sequence, sequence + 1].map((number) => this.#thread.find(number));
    const question = this.#thread.addQuestion(draftOf('user', message), old[0]);
    const round = this.#newRound(this.#addReply(old[1]));
    const refuse = (error) => this.#offerAgain(round, { message, question, old }, error);
    return this.#play(round, refuse, () => api.editMessage(this.#id, sequence, message, round.signal));
  }

  stop() {
    return this.#round?.stop();
  }

  /** A page of messages before a sequence number. */
  older(before) {
    return api.listMessages(this.#id, { before, signal: this.#visit.signal });
  }

  /** A page after a sequence number; `open` is a reply in it that is still being written. */
  async newer(after) {
    const page = await api.listMessages(this.#id, { after, signal: this.#visit.signal });
    return { ...page, ...splitOpen(page.messages) };
  }

  /** Follows a reply that is still being written, and that the reader has come to. */
  resume(message) {
    if (this.isLive) return null;
    const round = this.#newRound(this.#thread.addReply(message), { sequence: message.sequence_number });
    return this.#play(round);
  }

  /** Shows the open conversation around a message, or at its end. */
  openAt(sequence) {
    return this.open(this.#id, sequence);
  }

  /** What a reply of this conversation was given. */
  trace(sequence) {
    return api.getTrace(this.#id, sequence, this.#visit.signal);
  }

  /** The open conversation was changed: `changes` is {title?, mode?}. */
  amend(changes) {
    Object.assign(this.#conversation, changes);
  }

  /** The API's, without its messages; null is a new chat. */
  get conversation() {
    return this.#conversation;
  }

  get #id() {
    return this.#conversation?.conversation_id;
  }

  #leave() {
    this.#visit.abort();
    this.#visit = new AbortController();
    this.#setRound(null);
  }

  #setRound(round) {
    this.#round = round;
    this.#on.live(this.isLive);
  }

  #show({ messages: all, has_more, has_newer, ...conversation }) {
    this.#conversation = conversation;
    const { messages, open } = splitOpen(all);
    this.#thread.show({ messages, has_more, has_newer });
    this.#on.opened(conversation);
    if (open) this.resume(open);
  }

  #addReply(instead = null) {
    return this.#thread.addReply(draftOf('assistant', ''), instead);
  }

  #newRound(reply, { sequence = null, choice = {} } = {}) {
    const onStarted = (meta) => this.#noteStart(meta, choice);
    return new Round(reply, { conversationId: this.#id, sequence, signal: this.#visit.signal, onStarted });
  }

  #noteStart(meta, choice) {
    this.#conversation ??= { conversation_id: meta.conversation_id, ...choice };
    this.#thread.numberQuestion(meta.user_sequence);
    this.#on.started(this.#conversation, meta.sequence);
  }

  // `refuse(error)` mends what was shown too early, when the server did not take the round.
  async #play(round, refuse, connect) {
    this.#setRound(round);
    try {
      await round.follow(connect);
    } catch (error) {
      if (!isAbort(error)) await this.#giveUp(round, refuse, error);
    }
    if (this.#round !== round) return; // another conversation, or another try, by now
    this.#setRound(null);
    this.#on.ended(round.reply);
  }

  #giveUp(round, refuse, error) {
    if (round.place.sequence === null) return refuse(error);
    return round.reply.lose(error, () => this.#play(round));
  }

  async #reload(error) {
    this.#on.failed(error);
    await this.open(this.#id);
  }

  // No answer does not mean that the message did not arrive: look before giving it back.
  async #takeBack(round, { message, question, known }, error) {
    question.remove();
    round.reply.element.remove();
    if (this.#id) await this.open(this.#id);
    else this.startNew();
    const hasArrived = error.code === 'network' && this.#thread.lastSequence > known;
    if (hasArrived) this.#on.arrived();
    else this.#on.refused(message, error);
  }

  // The same for an edited one: its words are not lost, and not asked for twice.
  async #offerAgain(round, { message, question, old }, error) {
    question.remove();
    round.reply.element.remove();
    this.#thread.putBack(old);
    await this.open(this.#id);
    if (this.#thread.newestText === message) return;
    this.#on.failed(error);
    this.#thread.editNewest(message);
  }
}

/** Closed messages, and the reply after them that is still being written, if there is one. */
function splitOpen(messages) {
  const isOpen = messages.at(-1)?.status === 'streaming';
  return { messages: isOpen ? messages.slice(0, -1) : messages, open: isOpen ? messages.at(-1) : null };
}

function draftOf(role, content) {
  const status = role === 'user' ? 'complete' : 'streaming';
  return { role, content, status, created_at: new Date().toISOString(), sequence_number: null };
}
