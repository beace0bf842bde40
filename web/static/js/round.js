/** One round as the page sees it: what happens to its reply, event by event. */

import * as api from './api.js';
import { sentence } from './errors.js';
import { replyEvents } from './reply_events.js';
import { t } from './texts.js';

export class Round {
  reply;
  signal;
  /** {conversationId, sequence, lastId}: where to take the stream up again. */
  place;
  #onStarted;
  #isStopped = false;
  #isStarted = false;
  #isWriting = false;

  /** `onStarted(meta)` is called once the server has the message. */
  constructor(reply, { conversationId, sequence = null, signal, onStarted = () => {} }) {
    this.reply = reply;
    this.signal = signal;
    this.place = { conversationId, sequence, lastId: null };
    this.#onStarted = onStarted;
  }

  /** Plays the reply to its end; `connect` opens the stream, by default from where we are. */
  async follow(connect = () => this.#resume()) {
    for await (const { name, data } of replyEvents(connect, this.place, this.signal)) {
      this[`on_${name}`]?.(data);
    }
  }

  async stop() {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.reply.say(t('reply.stopping'));
    if (this.place.sequence !== null) await this.#askToStop();
  }

  on_meta(meta) {
    this.reply.setSequence(meta.sequence);
    // From the start: a new reply, another try of it, or one whose beginning came with the page.
    if (meta.offset === 0) this.#isWriting = false;
    if (this.#isStarted) return this.#noteReturn();
    this.#isStarted = true;
    this.#onStarted(meta);
    if (this.#isStopped) this.#askToStop();
  }

  on_delta({ text }) {
    if (this.#isWriting) this.reply.add(text);
    else this.reply.begin(text);
    this.#isWriting = true;
  }

  on_reconnecting() {
    this.reply.say(t('reply.reconnecting'));
  }

  on_done(end) {
    this.reply.settle(end);
  }

  // What the server says of it is what is kept, and what is shown after a reload.
  on_error({ message, ...end }) {
    this.reply.settle({ ...end, error: message });
  }

  /** The stream is back, though the next word may take a while. */
  #noteReturn() {
    if (!this.#isStopped) this.reply.say(this.#isWriting ? '' : t('reply.thinking'));
  }

  #resume() {
    const { conversationId, sequence, lastId } = this.place;
    return api.resumeReply(conversationId, sequence, lastId, this.signal);
  }

  async #askToStop() {
    try {
      await api.stopReply(this.place.conversationId, this.place.sequence);
    } catch (error) {
      this.#isStopped = false; // it may have finished just now; if not, the reader can try again
      this.reply.say(error.status === 404 || error.status === 409 ? '' : sentence(error));
    }
  }
}
