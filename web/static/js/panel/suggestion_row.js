/** One uncertain fact, which the reader confirms or dismisses. */

import { confirmSuggestion, dismissSuggestion } from '../api/memory.js';
import { runAction } from '../page/action.js';
import { el } from '../page/element.js';
import { announce } from '../page/notices.js';
import { t } from '../text/texts.js';
import { sourceLink } from './fact_versions.js';
import { createButton, formatKey } from './parts.js';

export class SuggestionRow {
  element;
  #suggestion = null; // the API's
  #key = el('span', { class: 'fact-key' });
  #value = el('span', { class: 'fact-value', dir: 'auto' });
  #source = el('p', { class: 'about' });
  #confirm = createButton('suggestions.confirm', () => this.#answer(confirmSuggestion, 'suggestions.confirmed'));
  #dismiss = createButton('suggestions.dismiss', () => this.#answer(dismissSuggestion, 'suggestions.dismissed'));
  #onAnswered;

  constructor(onAnswered) {
    this.#onAnswered = onAnswered;
    this.element = el('li', { class: 'suggestion' },
      el('p', {}, this.#key, ' ', this.#value),
      this.#source,
      el('div', { class: 'actions' }, this.#confirm, this.#dismiss));
  }

  // The buttons of all rows look the same, so for screen readers their labels name the fact.
  show(suggestion) {
    this.#suggestion = suggestion;
    const values = { key: formatKey(suggestion.key), value: suggestion.value };
    this.#key.textContent = values.key;
    this.#value.textContent = values.value;
    this.#source.replaceChildren(sourceLink(suggestion.source));
    this.#confirm.setAttribute('aria-label', t('suggestions.confirm_of', values));
    this.#dismiss.setAttribute('aria-label', t('suggestions.dismiss_of', values));
  }

  async #answer(send, announcement) {
    if (!(await runAction(this.element, () => send(this.#suggestion.suggestion_id)))) return;
    announce(t(announcement));
    this.#onAnswered();
  }
}
