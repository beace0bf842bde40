/** The uncertain facts that wait for the user's confirmation. Hidden while there are none. */

import { confirmSuggestion, confirmSuggestions, dismissSuggestion, listSuggestions } from '../api/memory.js';
import { runAction } from '../page/action.js';
import { el } from '../page/element.js';
import { KeyedRows } from '../page/keyed_rows.js';
import { announce } from '../page/notices.js';
import { askFact, formatFact } from '../text/facts.js';
import { t } from '../text/texts.js';
import { sourceLink } from './fact_versions.js';
import { createButton, createSection } from './parts.js';

const MOST_AT_ONCE = 100;

/** `wake()` updates the whole panel. `onCount(count)` is told how many wait. */
export function createSuggestions({ wake, onCount }) {
  const list = el('ul', {});
  const keepAll = createButton('suggestions.keep_all', () => keepShown());
  const foot = el('div', { class: 'actions' }, keepAll);
  const section = createSection('suggestions', el('p', { class: 'about' }, t('suggestions.about')), list, foot);
  const rows = new KeyedRows(list, (suggestion) => suggestion.suggestion_id, () => new SuggestionRow(noteAnswer));
  section.hidden = true;

  let shown = null; // the memory whose suggestions these are
  let waiting = []; // those that the reader sees

  async function refresh({ memory = shown, signal }) {
    shown = memory;
    const { suggestions } = await listSuggestions(memory, signal);
    section.hidden = !suggestions.length;
    rows.show(suggestions);
    waiting = suggestions;
    foot.hidden = suggestions.length < 2;
    onCount(suggestions.length);
  }

  async function keepShown() {
    const ids = waiting.slice(0, MOST_AT_ONCE).map((suggestion) => suggestion.suggestion_id);
    if (!(await runAction(foot, () => confirmSuggestions(ids)))) return;
    announce(t('suggestions.kept_all'));
    noteAnswer();
  }

  // The row that had the focus is removed, so the focus moves on to the next row or section.
  async function noteAnswer() {
    await refresh({});
    const next = list.querySelector('button') ?? document.querySelector('#facts summary, #facts button');
    next?.focus();
    wake();
  }

  /** Moves the focus to the first one. */
  function focus() {
    list.querySelector('button')?.focus();
  }

  return { kind: 'suggestions', element: section, refresh, focus };
}

/** One uncertain fact, as a question that the reader answers with yes or no. */
class SuggestionRow {
  element;
  #suggestion = null; // the API's
  #question = el('p', { dir: 'auto' });
  #source = el('p', { class: 'about' });
  #yes = createButton('lesson.yes', () => this.#answer(confirmSuggestion, 'lesson.learned'));
  #no = createButton('lesson.no', () => this.#answer(dismissSuggestion, 'lesson.dismissed'));
  #onAnswered;

  constructor(onAnswered) {
    this.#onAnswered = onAnswered;
    const actions = el('div', { class: 'actions' }, this.#yes, this.#no);
    this.element = el('li', { class: 'suggestion' }, this.#question, this.#source, actions);
  }

  // The buttons of all rows look the same, so for screen readers their labels repeat the question.
  show(suggestion) {
    this.#suggestion = suggestion;
    const about = askFact(suggestion);
    this.#question.textContent = about;
    this.#source.replaceChildren(sourceLink(suggestion.source, suggestion.said_at));
    this.#yes.setAttribute('aria-label', t('lesson.button', { label: t('lesson.yes'), about }));
    this.#no.setAttribute('aria-label', t('lesson.button', { label: t('lesson.no'), about }));
  }

  async #answer(send, announcement) {
    if (!(await runAction(this.element, () => send(this.#suggestion.suggestion_id)))) return;
    announce(t(announcement, { fact: formatFact(this.#suggestion) }));
    this.#onAnswered();
  }
}
