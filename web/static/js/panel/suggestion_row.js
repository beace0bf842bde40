/** A fact that may be so: what was said, and the user's word on it. */

import { announce } from '../announcer.js';
import { attempt } from '../attempt.js';
import { el } from '../element.js';
import { placeLink } from '../links.js';
import { confirmSuggestion, dismissSuggestion } from '../memory_api.js';
import { t } from '../texts.js';

export class SuggestionRow {
  element;
  #suggestion = null; // the API's
  #key = el('span', { class: 'fact-key' });
  #value = el('span', { class: 'fact-value' });
  #source = el('p', { class: 'about' });
  #confirm = button(() => this.#answer(confirmSuggestion, 'suggestions.confirmed'));
  #dismiss = button(() => this.#answer(dismissSuggestion, 'suggestions.dismissed'));
  #onAnswered;

  constructor(onAnswered) {
    this.#onAnswered = onAnswered;
    this.element = el('li', { class: 'suggestion' }, el('p', {}, this.#key, ' ', this.#value), this.#source,
      el('div', { class: 'actions' }, this.#confirm, this.#dismiss));
  }

  show(suggestion) {
    this.#suggestion = suggestion;
    const { value, source } = suggestion;
    const key = suggestion.key.replaceAll('_', ' ');
    this.#key.textContent = key;
    this.#value.textContent = value;
    const label = t('facts.source', { sequence: source.sequence });
    this.#source.replaceChildren(placeLink(source.conversation_id, source.sequence, { class: 'place' }, label));
    name(this.#confirm, 'suggestions.confirm', { key, value });
    name(this.#dismiss, 'suggestions.dismiss', { key, value });
  }

  async #answer(send, told) {
    if (!(await attempt(this.element, () => send(this.#suggestion.suggestion_id)))) return;
    announce(t(told));
    this.#onAnswered();
  }
}

function button(onclick) {
  return el('button', { type: 'button', class: 'action', onclick });
}

// Several stand below one another: to a screen reader each says what it is about.
function name(element, key, values) {
  element.textContent = t(key);
  element.setAttribute('aria-label', t(`${key}_of`, values));
}
