/** Draws what a message has taught, with a way to take it back, and what it may mean, to be confirmed. */

import {
  confirmSuggestion, deleteFact, dismissSuggestion, undoReplacement,
} from '../api/memory.js';
import { runAction } from '../page/action.js';
import { el, icon } from '../page/element.js';
import { KeyedRows } from '../page/keyed_rows.js';
import { announce } from '../page/notices.js';
import { askFact, formatFact } from '../text/facts.js';
import { t } from '../text/texts.js';

const lists = new WeakMap(); // of the marks, by the element of their message

/** The API's lessons by the number of their message, as items {id, fact, replaced?, isAsked}. */
export function groupLessons({ facts, suggestions }) {
  const items = [
    ...facts.map(({ fact, replaced }) => ({ id: `fact-${fact.fact_id}`, fact, replaced, isAsked: false })),
    ...suggestions.map((fact) => ({ id: `suggestion-${fact.suggestion_id}`, fact, isAsked: true })),
  ];
  return Map.groupBy(items, ({ fact }) => fact.source.sequence);
}

/** Tells a screen reader what is in `after` and was not in `before`. */
export function announceNew(before, after) {
  const known = new Set([...before.values()].flat().map(({ id }) => id));
  for (const item of [...after.values()].flat()) {
    if (!known.has(item.id)) announce(describe(item));
  }
}

/** Shows the marks of a message. `changed()` is called when the reader has answered one. */
export function drawMarks(element, items, changed) {
  const known = lists.get(element);
  if (!known && !items.length) return;
  const list = known ?? createList(element, changed);
  list.show(items);
}

function createList(element, changed) {
  const list = el('ul', { class: 'lessons', 'aria-label': t('lesson.label') });
  element.append(list);
  const rows = new KeyedRows(list, ({ id }) => id, () => new Mark(changed));
  let items = [];
  const marks = {
    // A mark that was answered stays until the reader leaves, so that the focus is not lost.
    show(current) {
      const ids = new Set(current.map(({ id }) => id));
      items = [...items.filter((item) => item.answer && !ids.has(item.id)), ...current];
      rows.show(items);
    },
  };
  lists.set(element, marks);
  return marks;
}

class Mark {
  element = el('li', { class: 'lesson' });
  #item = null;
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  show(item) {
    if (this.#item?.answer || this.#item?.id === item.id) return;
    this.#item = item;
    const text = describe(item);
    const buttons = item.isAsked
      ? [this.#button('yes', confirmed, text), this.#button('no', dismissed, text)]
      : [this.#button('undo', item.replaced === null ? forgotten : restored, text)];
    this.element.classList.toggle('is-asked', item.isAsked);
    this.element.replaceChildren(icon('memory'), el('span', { dir: 'auto' }, text), ...buttons);
  }

  // All marks have the same buttons, so for screen readers their labels name the fact.
  #button(name, answer, about) {
    const label = t(`lesson.${name}`);
    const onclick = () => this.#answer(answer);
    return el('button', { type: 'button', 'aria-label': t('lesson.button', { label, about }), onclick }, label);
  }

  async #answer({ send, text }) {
    if (!(await runAction(this.element, () => send(this.#item.fact)))) return;
    this.#item.answer = t(text, { fact: formatFact(this.#item.fact) });
    this.element.replaceChildren(el('span', { dir: 'auto' }, this.#item.answer));
    this.element.tabIndex = -1;
    this.element.focus({ preventScroll: true });
    announce(this.#item.answer);
    this.#changed();
  }
}

const forgotten = { send: ({ fact_id: id }) => deleteFact(id), text: 'lesson.undone' };
const restored = { send: ({ fact_id: id }) => undoReplacement(id), text: 'lesson.undone' };
const confirmed = { send: ({ suggestion_id: id }) => confirmSuggestion(id), text: 'lesson.learned' };
const dismissed = { send: ({ suggestion_id: id }) => dismissSuggestion(id), text: 'lesson.dismissed' };

function describe({ fact, replaced, isAsked }) {
  if (isAsked) return askFact(fact);
  const values = { fact: formatFact(fact), before: replaced };
  return t(replaced === null ? 'lesson.learned' : 'lesson.changed', values);
}
