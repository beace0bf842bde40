/** The memory panel: it fetches what the conversation remembers and hands it to its sections. */

import { getMemory, listJobs } from '../api.js';
import { byId, el } from '../element.js';
import { isAbort, sentence } from '../errors.js';
import { Polling } from '../polling.js';
import { t } from '../texts.js';
import { createCoverage } from './coverage.js';
import { createJobs, isInProgress } from './jobs.js';
import { createSummary } from './summary.js';

// Top to bottom. A section is {element, show({memory, jobs, lastSequence})}; a new one is a module
// beside these and a place in this list.
const SECTIONS = [createCoverage, createSummary, createJobs];

export class Panel {
  #sections;
  #note = el('p', { class: 'none' });
  #polling = new Polling(() => this.#look());
  #id = null;
  #mode = null;
  #liveSequence = -1;
  #visit = new AbortController();
  #onSettled;
  #wasBusy = false;

  /** `reveal(sequence)` brings a message into view; `onSettled()`: all jobs have come to an end. */
  constructor({ reveal, onSettled }) {
    this.#onSettled = onSettled;
    this.#sections = SECTIONS.map((create) => create({ reveal }));
    byId('panel-body').append(this.#note, ...this.#sections.map((section) => section.element));
    this.#showSections(false);
  }

  /** `conversation` is {conversation_id, mode?}, or null for a new chat. */
  open(conversation) {
    this.#visit.abort();
    this.#visit = new AbortController();
    this.#id = conversation?.conversation_id ?? null;
    this.#mode = conversation?.mode ?? null;
    this.#liveSequence = -1;
    this.#showSections(false);
    this.#polling.wake();
  }

  /** A round is being answered; its messages are `current` until it has ended. */
  noteLive(sequence) {
    this.#liveSequence = sequence;
    this.#polling.wake();
  }

  /** Something may have changed: look at once. */
  wake() {
    this.#polling.wake();
  }

  setVisible(isVisible) {
    if (isVisible) this.#polling.start();
    else this.#polling.stop();
  }

  async #look() {
    if (!this.#id) return false;
    const { signal } = this.#visit;
    try {
      const [memory, { jobs }] = await Promise.all([getMemory(this.#id, signal), listJobs(this.#id, signal)]);
      return this.#show(memory, jobs);
    } catch (error) {
      if (!isAbort(error)) this.#say(t('panel.failed', { reason: sentence(error) }));
      return false;
    }
  }

  #show(memory, jobs) {
    const lastSequence = Math.max(memory.last_sequence ?? -1, this.#liveSequence);
    for (const section of this.#sections) section.show({ memory, jobs, lastSequence });
    this.#showSections(true);
    const isBusy = memory.processing !== null || jobs.some(isInProgress);
    if (this.#wasBusy && !isBusy) this.#onSettled();
    this.#wasBusy = isBusy;
    return isBusy;
  }

  #showSections(isShown) {
    byId('panel-body').classList.toggle('is-empty', !isShown);
    this.#say(isShown ? this.#modeNote() : t('panel.nothing'));
  }

  #modeNote() {
    return this.#mode === 'off' ? t('panel.off') : '';
  }

  #say(text) {
    this.#note.textContent = text;
    this.#note.hidden = !text;
  }
}
