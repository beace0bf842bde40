/** The memory panel. It fetches what the server remembers, and its sections show it. */

import { describeError, isAbort } from '../api/errors.js';
import { isFollowing } from '../api/events.js';
import { getMemory, listJobs } from '../api/memory.js';
import { findMemory } from '../api/projects.js';
import { coalesce } from '../page/coalescing.js';
import { byId, el } from '../page/element.js';
import { notifyError } from '../page/failures.js';
import { Refresher } from '../page/refresher.js';
import { t } from '../text/texts.js';
import { KINDS, OF_CONVERSATION, listChanged } from './changes.js';
import { Episodes } from './episodes.js';
import { createFacts, revealRow } from './facts.js';
import { listRepeatable } from './job_errors.js';
import { createFailures, isInProgress } from './jobs.js';
import { createFold } from './parts.js';
import { SuggestionCount } from './suggestion_count.js';
import { createSuggestions } from './suggestions.js';
import { createTidying } from './tidying.js';

// While work is under way: the server tells of changes, but not if it is without Redis.
const TOLD_LOOK_MS = 15_000;
const UNTOLD_LOOK_MS = 1500; // while its events are not followed

export class Panel {
  #sections;
  #suggestions;
  #fold = createFold('how'); // how memory works
  #isFilled = false; // the fold was opened
  #note = el('p', { class: 'none' });
  #refresher = new Refresher((kinds) => this.#read(kinds), () => this.#nextLook());
  #countSoon = coalesce(() => this.#isVisible || this.#count());
  #chat;
  #id; // of the open conversation, null for a new chat, undefined before the first
  #mode = null;
  #project = null; // the name of the open conversation's
  #liveSequence = -1; // of the reply that is being written
  #summaries = null; // the API's of the open conversation, once they are loaded
  #visit = new AbortController(); // cancels the requests of a conversation that the reader leaves
  #onSettled;
  #isBusy = { jobs: false, tidying: false };
  #isRepeated = false; // the server runs failed jobs again by itself
  #isVisible = false;

  /**
   * `chat` is the open one. `reveal(sequence)` scrolls to a message. `onSettled()` is called when all jobs have ended, if
   * the server could not tell so. `onChanged()` is called when the reader has changed something here. `forgettings`: see
   * `createFacts`. `show()` opens the panel.
   */
  constructor(chat, { reveal, onSettled, onChanged, forgettings, show }) {
    this.#chat = chat;
    this.#onSettled = onSettled;
    const wake = () => {
      this.wake();
      onChanged();
    };
    const count = new SuggestionCount(() => this.#openSuggestions(show));
    this.#suggestions = createSuggestions({ wake, onCount: (waiting) => count.show(waiting) });
    this.#sections = createSections({ wake, forgettings, suggestions: this.#suggestions });
    this.#fold.addEventListener('toggle', () => this.#fold.open && this.#unfold({ reveal, wake }).catch(notifyError));
    byId('panel-body').append(this.#note, ...elementsOf(this.#sections), this.#fold);
    for (const kind of OF_CONVERSATION) this.#setLoaded(kind, false);
    this.#follow();
  }

  async #unfold(on) {
    const { createFoldedSections } = await import('./folded_sections.js');
    if (!this.#isFilled) {
      const folded = createFoldedSections(on);
      this.#fold.append(...elementsOf(folded));
      this.#sections.push(...folded);
      for (const kind of OF_CONVERSATION) this.#setLoaded(kind, false);
      this.#isFilled = true;
    }
    await this.#refresher.refresh(OF_CONVERSATION);
  }

  #follow() {
    const chat = this.#chat;
    chat.on('shown', ({ isOther }) => isOther && this.#open(KINDS));
    chat.on('begun', () => this.#open(['episodes', ...OF_CONVERSATION]));
    chat.on('started', (sequence) => this.#setLive(sequence));
    chat.on('ended', () => this.#noteEnd());
    chat.on('reworded', () => this.wake());
    chat.on('changed', ({ id }) => id === chat.id && this.#take(chat.conversation));
    document.addEventListener('erased', () => this.wake());
    document.addEventListener('visibilitychange', () => document.hidden || this.#refresher.refreshSoon(KINDS));
  }

  // Of a new chat, and of one that is not stored, nothing is remembered.
  #open(kinds) {
    const { id, conversation } = this.#chat;
    this.#visit.abort();
    this.#visit = new AbortController();
    this.#id = id;
    this.#liveSequence = -1;
    this.#summaries = null;
    this.#isBusy.jobs = false;
    this.#isRepeated = false;
    for (const kind of OF_CONVERSATION) this.#setLoaded(kind, false);
    this.#take(id === null ? { mode: null } : conversation);
    this.#refresher.refresh(kinds);
  }

  /** `mode` and `project` are the API's. When memory is off, a note above the sections says so. */
  #take({ mode, project = null }) {
    this.#mode = mode;
    const isMoved = project !== this.#project;
    this.#project = project;
    this.#showModeNote();
    if (isMoved) this.wake();
  }

  #setLive(sequence) {
    this.#liveSequence = sequence;
    this.#showSummaries();
  }

  // Its jobs are stored by now.
  #noteEnd() {
    this.#liveSequence = -1;
    this.#refresher.refresh(OF_CONVERSATION);
  }

  /** Anything may have changed: reads it at once. While the panel is closed, suggestions are counted alone. */
  wake() {
    if (this.#isVisible) this.#refresher.refresh(KINDS);
    else this.#countSoon();
  }

  /** `event` is one of the API's. */
  note(event) {
    const kinds = listChanged(event, this.#chat);
    if (!this.#isVisible && kinds.includes('suggestions')) this.#countSoon();
    else if (this.#fold.open || !event.data.running) this.#refresher.refreshSoon(kinds);
  }

  /** Events may have been missed. */
  catchUp() {
    if (this.#isVisible) this.#refresher.refreshSoon(KINDS);
    else this.#countSoon();
  }

  /** Opens the row of a fact. */
  async revealFact(factId) {
    await this.#refresher.refresh(['facts']);
    revealRow(factId);
  }

  setVisible(isVisible) {
    this.#isVisible = isVisible;
    if (isVisible) {
      this.#refresher.start();
      this.#refresher.refresh(KINDS);
    } else {
      this.#refresher.stop();
      this.#countSoon();
    }
  }

  async #count() {
    try {
      await this.#suggestions.refresh({ memory: await findMemory(this.#project) });
    } catch {
      // Who does not see the panel is not told that they could not be read.
    }
  }

  #openSuggestions(show) {
    show();
    this.#suggestions.focus();
  }

  /** Resolves to whether what has changed was read. */
  async #read(kinds) {
    if (this.#id === undefined) return false;
    const place = { id: this.#id, signal: this.#visit.signal };
    try {
      await Promise.all([this.#readRemembered(kinds, place), this.#readJobs(kinds, place), this.#readSummaries(kinds, place)]);
      this.#showModeNote();
      return true;
    } catch (error) {
      if (!isAbort(error)) this.#setNote(t('panel.failed', { reason: describeError(error) }));
      return false;
    }
  }

  async #readRemembered(kinds, { id, signal }) {
    const sections = this.#sections.filter((section) => section.refresh && kinds.has(section.kind));
    if (!sections.length) return;
    const memory = await findMemory(this.#project, signal);
    await Promise.all(sections.map(async (section) => {
      const isBusy = await section.refresh({ id, signal, memory });
      if (section.kind === 'tidying') this.#isBusy.tidying = isBusy;
    }));
  }

  async #readJobs(kinds, { id, signal }) {
    if (!id || !kinds.has('jobs')) return;
    const answer = await listJobs(id, signal);
    this.#showKind('jobs', { id, ...answer });
    const wasBusy = this.#isBusy.jobs;
    this.#isBusy.jobs = answer.jobs.some(isInProgress);
    this.#isRepeated = listRepeatable(answer.jobs).length > 0;
    if (wasBusy && !this.#isBusy.jobs && !isFollowing()) this.#onSettled();
  }

  // They are seen in the fold alone.
  async #readSummaries(kinds, { id, signal }) {
    if (!id || !kinds.has('summaries') || !this.#fold.open) return;
    this.#summaries = await getMemory(id, signal);
    this.#showSummaries();
  }

  #showSummaries() {
    if (this.#summaries === null) return;
    const lastSequence = Math.max(this.#summaries.last_sequence ?? -1, this.#liveSequence);
    this.#showKind('summaries', { memory: this.#summaries, lastSequence });
  }

  /** What to read again because it may change without a word; null where no work is under way. */
  #nextLook() {
    const { jobs, tidying } = this.#isBusy;
    if (!jobs && !tidying && !this.#isRepeated) return null;
    if (!isFollowing()) return { kinds: KINDS, afterMs: UNTOLD_LOOK_MS };
    return { kinds: tidying ? ['jobs', 'tidying'] : ['jobs'], afterMs: TOLD_LOOK_MS };
  }

  #showKind(kind, answer) {
    for (const section of this.#sections) if (section.kind === kind) section.show(answer);
    this.#setLoaded(kind, true);
  }

  // Sections about one conversation are hidden until its data is loaded.
  #setLoaded(kind, isLoaded) {
    for (const section of this.#sections) if (section.kind === kind) section.element.classList.toggle('is-empty', !isLoaded);
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
 * The sections that the reader sees, from top to bottom. Each has an `element` and the `kind` of what it shows. A section
 * about the open conversation has `show(answer)`. A section about everything remembered has `refresh({id, signal, memory})`,
 * which fetches its own data, also in a new chat; that of the tidying resolves to whether one is under way.
 */
function createSections({ wake, forgettings, suggestions }) {
  return [createFailures({ wake }), suggestions, createFacts({ wake, forgettings }), createTidying({ wake }), new Episodes({ wake })];
}

function elementsOf(sections) {
  return sections.map((section) => section.element);
}
