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
  #continue;
  #isSpoken = false; // once it is written while somebody looks

  /**
   * `message` is the API's. `on.retry(sequence)` is called when another try is asked for,
   * `on.goOn(sequence)` when the rest is, `on.trace(sequence)` resolves to what the reply was given,
   * `on.erase(sequence, role)` is called when it is to be deleted.
   */
  constructor(message, on) {
    const body = el('div', { class: 'message-body prose', dir: 'auto' });
    this.#text = new GrowingText(body, (text) => this.#isSpoken && announce(text));
    this.#given = new Given(() => on.trace(this.#sequence));
    const retry = () => on.retry(this.#sequence);
    this.#continue = actionButton('continue', 'down', t('reply.continue'), () => on.goOn(this.#sequence));
    const actions = el('div', { class: 'reply-actions' }, this.#continue, actionButton('retry', 'retry', t('reply.retry'), retry));
    this.element = messageFrame(message, { readText: () => this.#text.text, onErase: on.erase }, body, this.#note, this.#given.element, actions);
    this.element.querySelector('.copying').before(againButton(retry));
    this.settle(message);
  }

  get #sequence() {
    return Number(this.element.dataset.sequence);
  }

  /** How it ended, in words for who cannot see it. */
  get ending() {
    return this.#note.textContent || t('reply.done');
  }

  setSequence(sequence) {
    setSequence(this.element, sequence);
  }

  add(text) {
    this.say('');
    this.#text.add(text);
  }

  /** Shows `text` alone; what of it stands here already is not drawn anew. */
  begin(text) {
    this.say('');
    this.#text.set(text);
  }

  /** More of it is being asked for. */
  goOn() {
    this.#isSpoken = true;
    this.element.dataset.status = 'streaming';
    this.say(t('reply.thinking'));
  }

  /** Shows the reply as it stands; `error` is a sentence, all else the API's. */
  settle({ status, content, error, finish_reason: finishReason, remembered = null }) {
    this.#isSpoken ||= status === 'streaming';
    this.element.dataset.status = status;
    this.#text.set(content, status !== 'streaming');
    this.#continue.hidden = status !== 'partial' || !content;
    this.#given.show(remembered);
    this.say(noteFor(status, error, finishReason));
  }

  /** The connection is gone for good, but the reply may go on: offer to look again. */
  lose(error, onReconnect) {
    this.element.dataset.status = 'lost';
    this.say(error.code === 'connection_lost' ? t('reply.lost') : sentence(error));
    this.#note.append(' ', actionButton('reconnect', 'retry', t('reply.reconnect'), onReconnect));
  }

  say(text) {
    this.#note.replaceChildren(text);
    this.#note.hidden = !text;
  }
}

function noteFor(status, error, finishReason) {
  if (status === 'streaming') return t('reply.thinking');
  if (status === 'failed') return `${t('reply.failed')} ${error ?? ''}`.trim();
  if (status !== 'partial') return '';
  if (error) return `${t('reply.partial')} ${error}`;
  return has(`reply.cut.${finishReason}`) ? t(`reply.cut.${finishReason}`) : t('reply.stopped');
}

function actionButton(name, picture, label, onclick) {
  return el('button', { type: 'button', class: `action ${name}`, onclick }, icon(picture), label);
}

function againButton(onclick) {
  const label = t('reply.again');
  return el('button', { type: 'button', class: 'quiet again', title: label, 'aria-label': label, onclick }, icon('retry'));
}
