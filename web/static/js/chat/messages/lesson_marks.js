/** Draws what a message has taught, with a way to take it back, and what it may mean, to be confirmed. */

import {
  confirmSuggestion, deleteFact, dismissSuggestion, endWithholding, undoReplacement,
} from '../../api/memory.js';
import { runAction } from '../../page/action.js';
import { el, icon } from '../../page/element.js';
import { KeyedRows } from '../../page/keyed_rows.js';
import { announce } from '../../page/notices.js';
import { askFact, formatFact } from '../../text/facts.js';
import { t } from '../../text/texts.js';

const lists = new WeakMap(); // of the marks, by the element of their message

/** The API's lessons by the number of their message, as items {id, fact?, replaced?, withheld?, isAsked}. */
export function groupLessons({ facts, suggestions, withheld }) {
  const items = [
    ...facts.map(({ fact, replaced }) => ({ id: `fact-${fact.fact_id}`, fact, replaced, isAsked: false })),
    ...suggestions.map((fact) => ({ id: `suggestion-${fact.suggestion_id}`, fact, isAsked: true })),
    ...withheld.map((wish) => ({ id: `withheld-${wish.sequence}-${wish.other_count}`, withheld: wish, isAsked: false })),
  ];
  return Map.groupBy(items, ({ fact, withheld: wish }) => (wish ?? fact.source).sequence);
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
    // A mark that was answered stays until the reader leaves, so that the focus is not lost. Items that
    // are read again stay the same objects, because their marks note the answers there.
    show(current) {
      const shown = new Map(items.map((item) => [item.id, item]));
      const ids = new Set(current.map(({ id }) => id));
      const answeredItems = items.filter((item) => item.isAnswered && !ids.has(item.id));
      const answers = new Set(answeredItems.map(({ answer }) => answer)); // the fact of a confirmed question
      const others = current.filter((item) => !answers.has(describe(item)));
      items = [...answeredItems, ...others.map((item) => shown.get(item.id) ?? item)];
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
      ? [this.#button('yes', confirmation, text), this.#button('no', dismissal, text)]
      : [this.#button('undo', undoOf(item), text)];
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
    const { fact, withheld } = this.#item;
    if (this.#item.isAnswered) return;
    this.#item.isAnswered = true; // what is read meanwhile may be without it
    this.#item.isAnswered = await runAction(this.element, () => send(withheld ?? fact));
    if (!this.#item.isAnswered) return;
    this.#item.answer = t(text, fact ? { fact: formatFact(fact) } : {});
    this.element.replaceChildren(el('span', { dir: 'auto' }, this.#item.answer));
    this.element.tabIndex = -1;
    this.element.focus({ preventScroll: true });
    announce(this.#item.answer);
    this.#changed();
  }
}

const endOfWithholding = {
  send: ({ conversation_id: id, sequence }) => endWithholding(id, sequence), text: 'lesson.remembered_again',
};
const deletion = { send: ({ fact_id: id }) => deleteFact(id), text: 'lesson.undone' };
const undoing = { send: ({ fact_id: id }) => undoReplacement(id), text: 'lesson.undone' };
const confirmation = { send: ({ suggestion_id: id }) => confirmSuggestion(id), text: 'lesson.learned' };
const dismissal = { send: ({ suggestion_id: id }) => dismissSuggestion(id), text: 'lesson.dismissed' };

function undoOf({ withheld, replaced }) {
  if (withheld) return endOfWithholding;
  return replaced === null ? deletion : undoing;
}

function describe({ fact, replaced, withheld, isAsked }) {
  if (withheld) return describeWish(withheld);
  if (isAsked) return askFact(fact);
  const values = { fact: formatFact(fact), before: replaced };
  return t(replaced === null ? 'lesson.learned' : 'lesson.changed', values);
}

function describeWish({ forgotten: facts, other_count: count }) {
  if (facts.length) return t('lesson.forgotten', { fact: facts.map(formatFact).join('; ') });
  return t(count ? 'lesson.forgotten_words' : 'lesson.withheld');
}
