/** Facts that wait for the user's word; hidden while there is none. */

import { el } from '../element.js';
import { KeyedRows } from '../keyed_rows.js';
import { listSuggestions } from '../memory_api.js';
import { t } from '../texts.js';
import { createSection } from './section.js';
import { SuggestionRow } from './suggestion_row.js';

/** `wake()` looks at everything again. */
export function createSuggestions({ wake }) {
  const list = el('ul', {});
  const section = createSection('suggestions', el('p', { class: 'about' }, t('suggestions.about')), list);
  // The row that was answered goes, and the focus in it: the next one takes it, or what follows.
  const answered = async () => {
    await refresh({});
    const next = list.querySelector('button') ?? document.querySelector('#facts button');
    next?.focus();
    wake();
  };
  const rows = new KeyedRows(list, (suggestion) => suggestion.suggestion_id, () => new SuggestionRow(answered));
  section.hidden = true;

  async function refresh({ signal }) {
    const { suggestions } = await listSuggestions(signal);
    section.hidden = !suggestions.length;
    rows.show(suggestions);
  }

  return { element: section, refresh };
}
