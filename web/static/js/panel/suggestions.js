/** The uncertain facts that wait for the user's confirmation. Hidden while there are none. */

import { listSuggestions } from '../api/memory.js';
import { el } from '../page/element.js';
import { KeyedRows } from '../page/keyed_rows.js';
import { t } from '../text/texts.js';
import { createSection } from './parts.js';
import { SuggestionRow } from './suggestion_row.js';

/** `wake()` updates the whole panel. `onCount(count)` is told how many wait. */
export function createSuggestions({ wake, onCount }) {
  const list = el('ul', {});
  const section = createSection('suggestions', el('p', { class: 'about' }, t('suggestions.about')), list);
  const rows = new KeyedRows(list, (suggestion) => suggestion.suggestion_id, () => new SuggestionRow(noteAnswer));
  section.hidden = true;

  let shown = null; // the memory whose suggestions these are

  async function refresh({ memory = shown, signal }) {
    shown = memory;
    const { suggestions } = await listSuggestions(memory, signal);
    section.hidden = !suggestions.length;
    rows.show(suggestions);
    onCount(suggestions.length);
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

  return { element: section, refresh, focus };
}
