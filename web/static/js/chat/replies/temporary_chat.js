/** A temporary chat: what was said is in this object, and nowhere else. */

import { startTemporaryRound } from '../../api/chat.js';
import { ApiError, isAbort } from '../../api/errors.js';
import { serverEvents } from '../../api/server_events.js';
import { t } from '../../text/texts.js';

export class TemporaryChat {
  #messages = [];
  #choice; // {agent?, persona_id?, model?}

  constructor(choice) {
    this.#choice = choice;
  }

  /** As the API's, without an id. */
  get conversation() {
    return { conversation_id: null, title: t('temporary.title'), ...this.#choice, mode: 'temporary' };
  }

  /** The round of a message. `signal` ends it when the reader leaves the chat. */
  createRound(reply, message, signal) {
    const messages = [...this.#messages, { role: 'user', content: message }];
    const onAnswered = (content) => {
      this.#messages = [...messages, { role: 'assistant', content }];
    };
    const connect = (roundSignal) => startTemporaryRound({ messages, ...this.#choice }, roundSignal);
    return new TemporaryRound(reply, { signal, connect, onAnswered });
  }
}

/** As `Round`, over one connection: a reply that is cut off cannot be followed again. */
class TemporaryRound {
  reply;
  cursor = { sequence: null };
  #options;
  #stopping = new AbortController();
  #text = '';

  constructor(reply, options) {
    this.reply = reply;
    this.#options = options;
  }

  async follow() {
    const { signal, connect, onAnswered } = this.#options;
    try {
      await this.#read(await connect(AbortSignal.any([signal, this.#stopping.signal])));
    } catch (error) {
      if (signal.aborted || !isAbort(error)) throw error;
      this.#settle({ status: 'partial', content: this.#text, finish_reason: 'cancelled' });
    }
    if (this.#text) onAnswered(this.#text);
  }

  /** Hangs up: the server then ends the reply. */
  async stop() {
    this.#stopping.abort();
  }

  async #read(response) {
    for await (const { name, data } of serverEvents(response)) {
      if (name === 'reasoning') this.reply.think(data);
      if (name === 'delta') this.#add(data.text);
      if (name === 'done') return this.#settle(data);
      if (name === 'error') return this.#settle({ ...data, error: data.message });
    }
    throw new ApiError({ code: 'connection_lost' });
  }

  #add(text) {
    if (this.#text) this.reply.append(text);
    else this.reply.replaceText(text);
    this.#text += text;
  }

  #settle(data) {
    this.reply.settle({ ...data, has_trace: false });
  }
}
