/** A reply, from its first word to its end. */

import { describeError } from '../../api/errors.js';
import { el, icon, iconButton } from '../../page/element.js';
import { announce } from '../../page/notices.js';
import { hasText, t } from '../../text/texts.js';
import { createMessage, createTools, setSequence } from '../messages/message.js';
import { nameModel } from '../models/model_choice.js';
import { Provenance } from './provenance.js';
import { RatingButtons } from './rating.js';
import { Reasoning } from './reasoning.js';
import { ReplyText } from './reply_text.js';
import { VariantPager } from './variant_pager.js';

export class Reply {
  element;
  #text;
  #reasoning;
  #note = el('p', { class: 'note', hidden: true });
  #provenance;
  #pager;
  #ratings;
  #continue;
  #isAnnounced = false; // only a reply that is written while the page is open is read out

  /**
   * `message` is the API's. `on.retry(sequence)` asks for another reply, `on.goOn(sequence)` for the
   * rest of this one, `on.erase(sequence, role)` deletes it, and `on.trace(sequence)` resolves to
   * what the model was given for it. `on.rate(sequence, rating)` keeps a rating, and
   * `on.turn(sequence, variant)` shows another variant; it resolves to whether it is shown.
   */
  constructor(message, on) {
    const body = el('div', { class: 'message-body prose', dir: 'auto' });
    const retry = () => on.retry(this.#sequence);
    const goOn = () => on.goOn(this.#sequence);
    this.#text = new ReplyText(body, (text) => this.#isAnnounced && announce(text));
    this.#reasoning = new Reasoning(() => on.trace(this.#sequence));
    this.#provenance = new Provenance(() => on.trace(this.#sequence));
    this.#continue = actionButton('continue', 'down', t('reply.continue'), goOn);
    const retryButton = actionButton('retry', 'retry', t('reply.retry'), retry);
    const actions = el('div', { class: 'reply-actions' }, this.#continue, retryButton);
    this.#pager = new VariantPager((variant) => on.turn(this.#sequence, variant));
    this.#ratings = new RatingButtons((rating) => on.rate(this.#sequence, rating));
    const againButton = iconButton('retry', t('reply.again'), { class: 'quiet again', onclick: retry });
    const reading = { readText: () => this.#text.text, onErase: on.erase };
    const tools = el('div', { class: 'reply-tools' },
      this.#pager.element, createTools(message, reading, againButton, this.#ratings.element));
    const foot = el('div', { class: 'reply-foot' }, this.#provenance.element, tools);
    const content = [this.#reasoning.element, body, this.#note, foot, actions];
    this.element = createMessage(message, null, ...content);
    this.settle(message);
  }

  get #sequence() {
    return Number(this.element.dataset.sequence);
  }

  get isWhole() {
    return this.element.dataset.status === 'complete';
  }

  /** Whether it is being written. */
  get isOpen() {
    return this.element.dataset.status === 'streaming';
  }

  /** How the reply ended, for screen readers. */
  get ending() {
    return this.#note.textContent || t('reply.done');
  }

  setSequence(sequence) {
    setSequence(this.element, sequence);
  }

  append(text) {
    this.setNote('');
    this.#reasoning.end();
    this.#text.append(text);
  }

  replaceText(text) {
    this.setNote('');
    this.#reasoning.end();
    this.#text.set(text);
  }

  /** What the model thinks comes from its beginning. */
  beginReasoning() {
    this.#reasoning.begin();
  }

  /** `piece` is {text, ms}, of the API. */
  think(piece) {
    this.#reasoning.append(piece);
    if (this.#note.textContent === t('reply.thinking')) this.setNote(''); // it is said above
  }

  forgetReasoning() {
    this.#reasoning.forget();
  }

  /** The rest of the reply has been requested. Returns what shows it as it was before. */
  goOn() {
    const { status } = this.element.dataset;
    const note = this.#note.textContent;
    this.#isAnnounced = true;
    this.element.dataset.status = 'streaming';
    this.setNote(t('reply.thinking'));
    return () => {
      this.element.dataset.status = status;
      this.setNote(note);
    };
  }

  /** Shows the whole reply. `error` is a sentence, the other fields are the API's. */
  settle({ status, content, error, finish_reason: finishReason, ...more }) {
    this.#isAnnounced ||= status === 'streaming';
    this.element.dataset.status = status;
    this.#text.set(content, status !== 'streaming');
    this.#continue.hidden = status !== 'partial' || !content;
    this.setNote(noteFor(status, error, finishReason));
    this.#reasoning.settle(more.reasoning_ms ?? null, more.variant);
    this.#showFoot(more);
    if (more.model) this.element.querySelector('.who').textContent = nameModel(more.model);
  }

  /** Shows the API's message, where it is not what is shown. */
  update(message) {
    const { status } = this.element.dataset;
    if (status !== message.status || this.#text.text !== message.content) this.settle(message);
  }

  /** Shows a variant that is not the chosen one, for reading only. */
  showOther({ variant, content, status, error, finish_reason: finishReason }, { numbers, chosen }) {
    this.#text.set(content, true);
    const place = { place: numbers.indexOf(chosen) + 1 };
    this.setNote(`${t('variants.other', place)} ${noteFor(status, error, finishReason)}`.trim());
    this.#pager.show(numbers, variant);
    this.#ratings.element.hidden = true;
    this.#reasoning.settle(null);
    this.#provenance.show(null, false);
  }

  #showFoot({ remembered = null, has_trace: hasTrace = true, model, variant = 1, variants = [], rating = null }) {
    this.#provenance.show(remembered, hasTrace, model);
    this.#pager.show(variants, variant);
    this.#ratings.show(rating);
    this.#ratings.element.hidden = !this.#text.text;
  }

  /** The connection is lost, but the server may still be writing. Offers to connect again. */
  lose(error, onReconnect) {
    this.element.dataset.status = 'lost';
    this.setNote(error.code === 'connection_lost' ? t('reply.lost') : describeError(error));
    this.#note.append(' ', actionButton('reconnect', 'retry', t('reply.reconnect'), onReconnect));
  }

  /** The model has not written for a while, in the middle of its reply. */
  tellSilence(onStop) {
    this.setNote(t('reply.silent'));
    this.#note.append(' ', actionButton('halt', 'stop', t('reply.silent.stop'), onStop));
  }

  /** Sets the line below the text; an empty one is hidden. */
  setNote(text) {
    this.#note.replaceChildren(text);
    this.#note.hidden = !text;
  }
}

function noteFor(status, error, finishReason) {
  if (status === 'streaming') return t('reply.thinking');
  if (status === 'failed') return `${t('reply.failed')} ${error ?? ''}`.trim();
  if (status !== 'partial') return '';
  if (error) return `${t('reply.partial')} ${error}`;
  return hasText(`reply.cut.${finishReason}`) ? t(`reply.cut.${finishReason}`) : t('reply.stopped');
}

function actionButton(name, iconName, label, onclick) {
  return el('button', { type: 'button', class: `action ${name}`, onclick }, icon(iconName), label);
}
