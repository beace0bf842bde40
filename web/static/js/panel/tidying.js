/** What was tidied among the facts, each with an undo, and a button to tidy now. It is read while the reader has it open. */

import { getTidying, tidyUp, undoReplacement } from '../api/memory.js';
import { runAction } from '../page/action.js';
import { el } from '../page/element.js';
import { KeyedRows } from '../page/keyed_rows.js';
import { announce } from '../page/notices.js';
import { capitalize, formatFact } from '../text/facts.js';
import { t } from '../text/texts.js';
import { createButton, createFold } from './parts.js';

/** `wake()` updates the whole panel. */
export function createTidying({ wake }) {
  const state = el('p', { class: 'about', role: 'status' });
  const list = el('ul', {});
  const rows = new KeyedRows(list, (fact) => fact.fact_id, () => new ChangeRow(wake));
  const content = el('div', {}, el('p', { class: 'about' }, t('tidying.about')), createButton('tidying.run', run), state, list);
  const fold = createFold('tidying', content);
  fold.addEventListener('toggle', () => fold.open && runAction(content, () => refresh({})));

  let shown = null; // the memory whose changes these are

  /** Resolves to whether a tidying is under way. */
  async function refresh({ memory = shown, signal }) {
    shown = memory;
    if (!fold.open) return false;
    const { in_progress: isBusy, finished_at: endedAt, changes } = await getTidying(memory, signal);
    state.textContent = t(stateOf(isBusy, endedAt, changes));
    rows.show(changes);
    return isBusy;
  }

  async function run() {
    if (await runAction(content, async () => {
      await tidyUp();
      await refresh({});
    })) wake();
  }

  return { kind: 'tidying', element: fold, refresh };
}

function stateOf(isBusy, endedAt, changes) {
  if (isBusy) return 'tidying.running';
  if (!endedAt) return 'tidying.never';
  return changes.length ? 'tidying.done' : 'tidying.none';
}

/** A fact that was ended, why, and a button that makes it current again. */
class ChangeRow {
  element;
  #fact = null; // the API's
  #text = el('p', { dir: 'auto' });
  #undo = createButton('conversation.undo', () => this.#takeBack());
  #wake;

  constructor(wake) {
    this.#wake = wake;
    this.element = el('li', { class: 'suggestion' }, this.#text, el('div', { class: 'actions' }, this.#undo));
  }

  // The buttons of all rows look the same, so for screen readers their labels repeat the fact.
  show(fact) {
    this.#fact = fact;
    const about = capitalize(t(`tidying.${fact.tidied}`, { fact: formatFact(fact) }));
    this.#text.textContent = about;
    this.#undo.setAttribute('aria-label', t('lesson.button', { label: t('conversation.undo'), about }));
  }

  async #takeBack() {
    if (!(await runAction(this.element, () => undoReplacement(this.#fact.fact_id)))) return;
    announce(t('lesson.undone', { fact: formatFact(this.#fact) }));
    document.querySelector('#tidying summary')?.focus(); // the row goes
    this.#wake();
  }
}
