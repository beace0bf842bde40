/** The memory panel. It fetches what the server remembers, and its sections show it. */

import { describeError, isAbort } from '../api/errors.js';
import { getMemory, listJobs } from '../api/memory.js';
import { findMemory } from '../api/projects.js';
import { byId, el } from '../page/element.js';
import { Polling } from '../page/polling.js';
import { t } from '../text/texts.js';
import { createCoverage } from './coverage.js';
import { Episodes } from './episodes.js';
import { createFacts, revealRow } from './facts.js';
import { listRepeatable } from './job_errors.js';
import { createFailures, createJobs, isInProgress } from './jobs.js';
import { createFold } from './parts.js';
import { SuggestionCount } from './suggestion_count.js';
import { createSuggestions } from './suggestions.js';
import { createSummary } from './summary.js';
import { createTidying } from './tidying.js';

const COUNT_PAUSE_MS = 150; // several changes often come together

export class Panel {
  #sections;
  #suggestions;
  #note = el('p', { class: 'none' });
  #polling = new Polling(() => this.#poll());
  #id; // of the open conversation, null for a new chat, undefined before the first
  #mode = null;
  #project = null; // the name of the open conversation's
  #liveSequence = -1; // of the reply that is being written
  #visit = new AbortController(); // cancels the requests of a conversation that the reader leaves
  #onSettled;
  #wasBusy = false;
  #isVisible = false;
  #counting = null; // the timer

  /**
   * `chat` is the open one. `reveal(sequence)` scrolls to a message. `onSettled()` is called when all jobs have ended,
   * `onChanged()` when the reader has changed something here. `forgettings`: see `createFacts`.
   * `show()` opens the panel.
   */
  constructor(chat, { reveal, onSettled, onChanged, forgettings, show }) {
    this.#onSettled = onSettled;
    const wake = () => {
      this.wake();
      onChanged();
    };
    const count = new SuggestionCount(() => this.#openSuggestions(show));
    this.#suggestions = createSuggestions({ wake, onCount: (waiting) => count.show(waiting) });
    const open = createSections({ wake, forgettings, suggestions: this.#suggestions });
    const folded = createFoldedSections({ reveal, wake });
    this.#sections = [...open, ...folded];
    byId('panel-body').append(this.#note, ...elementsOf(open), createFold('how', ...elementsOf(folded)));
    this.#setLoaded(false);
    this.#follow(chat);
  }

  #follow(chat) {
    chat.on('shown', ({ isOther }) => isOther && this.#open(chat));
    chat.on('begun', () => this.#open(chat));
    chat.on('started', (sequence) => this.#setLive(sequence));
    chat.on('ended', () => this.#setLive(-1));
    chat.on('changed', ({ id }) => id === chat.id && this.#take(chat.conversation));
    document.addEventListener('erased', () => this.wake());
  }

  // Of a new chat, and of one that is not stored, nothing is remembered.
  #open({ id, conversation }) {
    this.#visit.abort();
    this.#visit = new AbortController();
    this.#id = id;
    this.#liveSequence = -1;
    this.#setLoaded(false);
    this.#take(id === null ? { mode: null } : conversation);
    this.#polling.wake();
  }

  /** `mode` and `project` are the API's. When memory is off, a note above the sections says so. */
  #take({ mode, project = null }) {
    this.#mode = mode;
    const isMoved = project !== this.#project;
    this.#project = project;
    this.#showModeNote();
    if (isMoved) this.wake();
  }

  /** A reply is being written, or none is (-1). */
  #setLive(sequence) {
    this.#liveSequence = sequence;
    this.#polling.wake();
  }

  /** Something may have changed: fetches everything at once. While the panel is closed, suggestions are counted alone. */
  wake() {
    if (this.#isVisible) this.#polling.wake();
    else this.#countSoon();
  }

  /** Opens the row of a fact. */
  async revealFact(factId) {
    await this.#poll();
    revealRow(factId);
  }

  setVisible(isVisible) {
    this.#isVisible = isVisible;
    if (isVisible) {
      this.#polling.start();
    } else {
      this.#polling.stop();
      this.#countSoon();
    }
  }

  // Who does not see the panel is not told that they could not be read.
  #countSoon() {
    clearTimeout(this.#counting);
    this.#counting = setTimeout(() => this.#count().catch(() => {}), COUNT_PAUSE_MS);
  }

  async #count() {
    await this.#suggestions.refresh({ memory: await findMemory(this.#project) });
  }

  #openSuggestions(show) {
    show();
    this.#suggestions.focus();
  }

  async #poll() {
    const { signal } = this.#visit;
    const id = this.#id;
    if (id === undefined) return false;
    try {
      const memory = await findMemory(this.#project, signal);
      const refreshed = this.#sections.map((section) => section.refresh?.({ id, signal, memory }));
      const busy = await Promise.all([this.#pollConversation(id, signal), ...refreshed]);
      this.#showModeNote();
      return busy.includes(true);
    } catch (error) {
      if (!isAbort(error)) this.#setNote(t('panel.failed', { reason: describeError(error) }));
      return false;
    }
  }

  async #pollConversation(id, signal) {
    if (!id) return false;
    const [memory, { jobs, counts, unread }] = await Promise.all([getMemory(id, signal), listJobs(id, signal)]);
    const lastSequence = Math.max(memory.last_sequence ?? -1, this.#liveSequence);
    for (const section of this.#sections) section.show?.({ id, memory, jobs, counts, unread, lastSequence });
    this.#setLoaded(true);
    const isBusy = memory.processing !== null || jobs.some(isInProgress);
    if (this.#wasBusy && !isBusy) this.#onSettled();
    this.#wasBusy = isBusy;
    return isBusy || listRepeatable(jobs).length > 0; // the server runs failed jobs again by itself
  }

  // Sections about one conversation are hidden until its data is loaded.
  #setLoaded(isLoaded) {
    for (const { element, show } of this.#sections) {
      if (show) element.classList.toggle('is-empty', !isLoaded);
    }
  }

  #showModeNote() {
    this.#setNote(this.#mode === 'off' ? t('panel.off') : '');
  }

  #setNote(text) {
    this.#note.textContent = text;
    this.#note.hidden = !text;
  }
}

/**
 * The sections that the reader sees, from top to bottom. Each has an `element`. A section about the open conversation has
 * `show({id, memory, jobs, counts, unread, lastSequence})`. A section about everything remembered has
 * `refresh({id, signal, memory})`, which fetches its own data, also in a new chat, and may resolve to whether work is under way.
 */
function createSections({ wake, forgettings, suggestions }) {
  return [createFailures({ wake }), suggestions, createFacts({ wake, forgettings }), createTidying({ wake }), new Episodes({ wake })];
}

/** Those that tell how memory works. */
function createFoldedSections({ reveal, wake }) {
  return [createCoverage({ reveal }), createSummary({ reveal }), createJobs({ wake })];
}

function elementsOf(sections) {
  return sections.map((section) => section.element);
}
