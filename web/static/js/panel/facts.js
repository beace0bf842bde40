/** The facts about the user, by category. */

import { addFact, listFacts } from '../api/memory.js';
import { runAction } from '../page/action.js';
import { el, icon } from '../page/element.js';
import { KeyedRows } from '../page/keyed_rows.js';
import { t } from '../text/texts.js';
import { FactRow } from './fact_row.js';
import { createButton, createSection } from './parts.js';
import { createProfile } from './profile.js';

const CATEGORIES = ['identity', 'preference', 'constraint', 'instruction'];

/**
 * `wake()` updates the whole panel. `forgettings` are the deletions that can still be undone:
 * {start(fact, choices), isPending(fact)}.
 */
export function createFacts({ wake, forgettings }) {
  const none = el('p', { class: 'none' }, t('facts.none'));
  const groups = CATEGORIES.map((category) => createGroup(category, { onChanged: wake, onForget: forgettings.start }));
  let shown = null; // the memory whose facts these are
  const about = el('p', { class: 'about', hidden: true });
  const form = new FactForm((text) => addFact(text, shown).then(wake));
  const profile = createProfile(revealRow);
  const parts = groups.map((group) => group.element);
  return {
    kind: 'facts',
    element: createSection('facts', about, none, profile.element, ...parts, form.element),
    async refresh({ memory, signal }) {
      const facts = (await listFacts(memory, signal)).facts.filter((fact) => !forgettings.isPending(fact));
      shown = memory;
      about.hidden = memory === null;
      about.textContent = t('projects.panel', { project: memory });
      none.hidden = facts.length > 0;
      for (const group of groups) group.show(facts);
      profile.show(facts);
    },
  };
}

/** Opens the row of a fact, if it is there. */
export function revealRow(factId) {
  const row = document.querySelector(`#facts [data-fact="${factId}"]`);
  if (!row) return;
  row.firstElementChild.open = true;
  row.scrollIntoView({ block: 'center' });
  row.querySelector('summary').focus();
}

function createGroup(category, on) {
  const list = el('ul', {});
  // Rows are kept by key, so a new version of a fact takes the place of the old one.
  const rows = new KeyedRows(list, (fact) => fact.key, () => new FactRow(on));
  const element = el('div', { class: 'fact-group', hidden: true }, el('h4', {}, t(`facts.${category}`)), list);
  return {
    element,
    show(facts) {
      const members = facts.filter((fact) => fact.category === category);
      element.hidden = !members.length;
      rows.show(members.sort((a, b) => a.key.localeCompare(b.key)));
    },
  };
}

/** A form to add a fact, which is one sentence. `add(text)` adds it. */
class FactForm {
  element;
  #opener = createButton('facts.add', () => this.#open());
  #form;
  #add;

  constructor(add) {
    this.#add = add;
    this.#opener.prepend(icon('plus'));
    const field = el('input', {
      name: 'text', class: 'field-text', dir: 'auto', required: true, placeholder: t('facts.example'),
    });
    const save = el('button', { type: 'submit', class: 'action' }, t('form.save'));
    this.#form = el('form', { class: 'add-fact', hidden: true, autocomplete: 'off' },
      el('label', {}, el('span', {}, t('facts.sentence')), field),
      el('div', { class: 'actions' }, save, createButton('form.cancel', () => this.#close())));
    this.#form.addEventListener('submit', (event) => this.#submit(event));
    this.#form.addEventListener('keydown', (event) => this.#handleKey(event));
    this.element = el('div', { class: 'adding' }, this.#opener, this.#form);
  }

  #open() {
    this.#form.hidden = false;
    this.#opener.hidden = true;
    this.#form.elements.text.focus();
  }

  #close() {
    this.#form.hidden = true;
    this.#opener.hidden = false;
    this.#opener.focus();
  }

  #handleKey(event) {
    if (event.key !== 'Escape') return;
    event.preventDefault(); // Escape would also close the panel
    this.#close();
  }

  async #submit(event) {
    event.preventDefault();
    const { value } = this.#form.elements.text;
    if (!(await runAction(this.#form, () => this.#add(value)))) return;
    this.#form.reset();
    this.#close();
  }
}
