/** What is held true about the user, by category: to add, correct, undo and delete. */

import { el } from '../element.js';
import { KeyedRows } from '../keyed_rows.js';
import { listFacts } from '../memory_api.js';
import { t } from '../texts.js';
import { FactForm } from './fact_form.js';
import { FactRow } from './fact_row.js';
import { createSection } from './section.js';

export const CATEGORIES = ['identity', 'preference', 'constraint', 'instruction'];

/** `wake()` looks at everything again. */
export function createFacts({ wake }) {
  const none = el('p', { class: 'none' }, t('facts.none'));
  const groups = CATEGORIES.map((category) => createGroup(category, wake));
  const form = new FactForm(CATEGORIES, wake);
  const parts = groups.map((group) => group.element);
  return {
    element: createSection('facts', none, ...parts, form.element),
    async refresh({ signal }) {
      const { facts } = await listFacts(signal);
      none.hidden = facts.length > 0;
      for (const group of groups) group.show(facts);
    },
  };
}

function createGroup(category, wake) {
  const list = el('ul', {});
  // A value that replaces another stands in the same place.
  const rows = new KeyedRows(list, (fact) => fact.key, () => new FactRow(wake));
  const element = el('div', { class: 'fact-group', hidden: true }, el('h4', {}, t(`facts.${category}`)), list);
  return {
    element,
    show(facts) {
      const own = facts.filter((fact) => fact.category === category);
      element.hidden = !own.length;
      rows.show(own.sort((a, b) => a.key.localeCompare(b.key)));
    },
  };
}
