/** One round on the page: the events of its reply, from the first to the last. */

import { resumeReply, stopReply } from '../../api/chat.js';
import { describeError } from '../../api/errors.js';
import { replyEvents } from '../../api/reply_events.js';
import { t } from '../../text/texts.js';

const SILENCE_MS = 20_000; // without a word in the middle of a reply, until the reader is told

export class Round {
  reply;
  signal;
  /** {conversationId, sequence, lastId}: from where the stream can be resumed. */
  cursor;
  #onStarted;
  #isStarted = false;
  #isStopped = false;
  #isStopRequested = false;
  #hasText = false;
  #silence = null; // the timer

  /** `onStarted(meta)` is called when the server has stored the message. */
  constructor(reply, { conversationId, sequence = null, signal, onStarted = () => {} }) {
    this.reply = reply;
    this.signal = signal;
    this.cursor = { conversationId, sequence, lastId: null };
    this.#onStarted = onStarted;
  }

  /** Shows the reply's events until it ends. `connect` opens the stream; the default resumes it. */
  async follow(connect = () => this.#resume()) {
    try {
      for await (const event of replyEvents(connect, this.cursor, this.signal)) this.#show(event);
    } finally {
      clearTimeout(this.#silence);
    }
  }

  async stop() {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.reply.setNote(t('reply.stopping'));
    if (this.cursor.sequence !== null) await this.#requestStop();
  }

  // An event of another name is from a newer server, and is skipped.
  #show({ name, data }) {
    switch (name) {
      case 'meta': return this.#begin(data);
      case 'reasoning': return this.reply.think(data);
      case 'delta': return this.#addText(data.text);
      case 'reconnecting': return this.reply.setNote(t('reply.reconnecting'));
      case 'done': return this.reply.settle(data);
      case 'error': return this.reply.settle({ ...data, error: data.message });
      default: return undefined;
    }
  }

  // A `meta` opens every connection. At offset 0 the reply's text comes from its beginning.
  #begin(meta) {
    this.reply.setSequence(meta.sequence);
    this.reply.beginReasoning();
    if (meta.offset === 0) this.#hasText = false;
    if (this.#isStarted) {
      this.#noteReconnected();
      return;
    }
    this.#isStarted = true;
    this.#onStarted(meta);
    if (this.#isStopped) this.#requestStop();
  }

  #addText(text) {
    if (this.#hasText) this.reply.append(text);
    else this.reply.replaceText(text);
    this.#hasText = true;
    this.#awaitMore();
  }

  // A model may hang in the middle of its reply.
  #awaitMore() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#isStopped || this.reply.tellSilence(() => this.stop()), SILENCE_MS);
  }

  // The next word may take a while.
  #noteReconnected() {
    if (!this.#isStopped) this.reply.setNote(this.#hasText ? '' : t('reply.thinking'));
  }

  #resume() {
    const { conversationId, sequence, lastId } = this.cursor;
    return resumeReply(conversationId, sequence, lastId, this.signal);
  }

  // A reply that has just ended cannot be stopped (404, 409). After any other error, the reader can
  // try again.
  async #requestStop() {
    if (this.#isStopRequested) return; // before the `meta` of a reply that is followed
    this.#isStopRequested = true;
    try {
      await stopReply(this.cursor.conversationId, this.cursor.sequence);
    } catch (error) {
      this.#isStopped = false;
      this.#isStopRequested = false;
      this.reply.setNote(error.status === 404 || error.status === 409 ? '' : describeError(error));
    }
  }
}
