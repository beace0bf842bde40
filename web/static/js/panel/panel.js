/** The memory panel: it fetches what the conversation remembers and hands it to its sections. */

import { byId, el } from '../element.js';
import { isAbort, sentence } from '../errors.js';
import { getMemory, listJobs } from '../memory_api.js';
import { Polling } from '../polling.js';
import { t } from '../texts.js';
import { createCoverage } from './coverage.js';
import { createEpisodes } from './episodes.js';
import { createFacts } from './facts.js';
import { listRepeatable } from './failures.js';
import { createJobs, isInProgress } from './jobs.js';
import { createSuggestions } from './suggestions.js';
import { createSummary } from './summary.js';

// Top to bottom; a new section is a module beside these and a place in this list. It is {element},
// with show({id, memory, jobs, counts, lastSequence}) when it tells of one conversation, or with
// refresh({id, signal}) when it fetches what is remembered beyond one: such stay in a new chat.
const SECTIONS = [createCoverage, createSuggestions, createFacts, createEpisodes, createSummary, createJobs];

export class Panel {
  #sections;
  #note = el('p', { class: 'none' });
  #polling = new Polling(() => this.#look());
  #id; // undefined until it is known what is open
  #mode = null;
  #liveSequence = -1;
  #visit = new AbortController();
  #onSettled;
  #wasBusy = false;

  /** `reveal(sequence)` brings a message into view; `onSettled()`: all jobs have come to an end. */
  constructor({ reveal, onSettled }) {
    this.#onSettled = onSettled;
    this.#sections = SECTIONS.map((create) => create({ reveal, wake: () => this.wake() }));
    byId('panel-body').append(this.#note, ...this.#sections.map((section) => section.element));
    this.#showSections(false);
  }

  /** `conversation` is {conversation_id, mode?}, or null for a new chat. */
  open(conversation) {
    this.#visit.abort();
    this.#visit = new AbortController();
    this.#id = conversation?.conversation_id ?? null;
    this.#liveSequence = -1;
    this.#showSections(false);
    this.setMode(conversation?.mode);
    this.#polling.wake();
  }

  /** `mode` as the API has it; what memory may not do is said above the sections. */
  setMode(mode) {
    this.#mode = mode;
    this.#say(this.#modeNote());
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
    const { signal } = this.#visit;
    const id = this.#id;
    if (id === undefined) return false;
    try {
      const others = this.#sections.map((section) => section.refresh?.({ id, signal }));
      const [isBusy] = await Promise.all([this.#lookAtConversation(id, signal), ...others]);
      this.#say(this.#modeNote());
      return isBusy;
    } catch (error) {
      if (!isAbort(error)) this.#say(t('panel.failed', { reason: sentence(error) }));
      return false;
    }
  }

  async #lookAtConversation(id, signal) {
    if (!id) return false;
    const [memory, work] = await Promise.all([getMemory(id, signal), listJobs(id, signal)]);
    return this.#show(id, memory, work);
  }

  #show(id, memory, { jobs, counts }) {
    const lastSequence = Math.max(memory.last_sequence ?? -1, this.#liveSequence);
    for (const section of this.#sections) section.show?.({ id, memory, jobs, counts, lastSequence });
    this.#showSections(true);
    const isBusy = memory.processing !== null || jobs.some(isInProgress);
    if (this.#wasBusy && !isBusy) this.#onSettled();
    this.#wasBusy = isBusy;
    return isBusy || listRepeatable(jobs).length > 0; // the server tries by itself, after a minute
  }

  // Those that tell of one conversation, once it is known what they have to tell.
  #showSections(isShown) {
    for (const { element, show } of this.#sections) {
      if (show) element.classList.toggle('is-empty', !isShown);
    }
  }

  #modeNote() {
    return this.#mode === 'off' ? t('panel.off') : '';
  }

  #say(text) {
    this.#note.textContent = text;
    this.#note.hidden = !text;
  }
}
