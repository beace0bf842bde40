/** A reply as it is written, and as it stands when it is finished, stopped or failed. */

import { announce } from './announcer.js';
import { el, icon } from './element.js';
import { sentence } from './errors.js';
import { GrowingText } from './growing_text.js';
import { Given } from './given.js';
import { messageFrame, setSequence } from './message.js';
import { has, t } from './texts.js';

export class Reply {
  element;
  #text;
  #note = el('p', { class: 'note', hidden: true });
  #given;

  /**
   * `message` is the API's. `on.retry(sequence)` is called when another try is asked for,
   * `on.trace(sequence)` resolves to what the reply was given.
   */
  constructor(message, on) {
    const body = el('div', { class: 'message-body prose', dir: 'auto' });
    this.#text = new GrowingText(body, message.status === 'streaming' ? announce : undefined);
    const action = actionButton('retry', t('reply.retry'), () => on.retry(this.#sequence));
    this.#given = new Given(() => on.trace(this.#sequence));
    this.element = messageFrame(message, () => this.#text.text, body, this.#note, this.#given.element, action);
    this.settle(message);
  }

  get #sequence() {
    return Number(this.element.dataset.sequence);
  }

  setSequence(sequence) {
    setSequence(this.element, sequence);
  }

  add(text) {
    this.say('');
    this.#text.add(text);
  }

  restart() {
    this.#text.set('');
  }

  /** Shows the reply as it stands; `error` is a code or a sentence, `remembered` the API's. */
  settle({ status, content, error, remembered = null }) {
    this.element.dataset.status = status;
    this.#text.set(content, status !== 'streaming');
    this.#given.show(remembered);
    this.say(noteFor(status, error));
  }

  /** The connection is gone for good, but the reply may go on: offer to look again. */
  lose(error, onReconnect) {
    this.element.dataset.status = 'lost';
    this.say(error.code === 'connection_lost' ? t('reply.lost') : sentence(error));
    this.#note.append(' ', actionButton('reconnect', t('reply.reconnect'), onReconnect));
  }

  say(text) {
    this.#note.replaceChildren(text);
    this.#note.hidden = !text;
  }
}

function noteFor(status, error) {
  if (status === 'streaming') return t('reply.thinking');
  const reason = has(`error.${error}`) ? t(`error.${error}`) : error;
  if (status === 'partial') return reason ? `${t('reply.partial')} ${reason}` : t('reply.stopped');
  if (status === 'failed') return `${t('reply.failed')} ${reason ?? ''}`.trim();
  return '';
}

function actionButton(name, label, onclick) {
  return el('button', { type: 'button', class: `action ${name}`, onclick }, icon('retry'), label);
}
