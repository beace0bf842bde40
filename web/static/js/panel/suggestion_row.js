/** One uncertain fact, as a question that the reader answers with yes or no. */

import { confirmSuggestion, dismissSuggestion } from '../api/memory.js';
import { runAction } from '../page/action.js';
import { el } from '../page/element.js';
import { announce } from '../page/notices.js';
import { askFact, formatFact } from '../text/facts.js';
import { t } from '../text/texts.js';
import { sourceLink } from './fact_versions.js';
import { createButton } from './parts.js';

export class SuggestionRow {
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
