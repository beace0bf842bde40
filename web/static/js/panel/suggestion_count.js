/** How many suggestions wait, where it is seen while the panel is closed: at the list's foot, and on the panel's button. */

import { byId } from '../page/element.js';
import { t, tCount } from '../text/texts.js';

export class SuggestionCount {
  #chip = byId('suggestions-waiting');
  #button = document.querySelector('[data-opens="panel"]');

  /** `onOpen()` is called when the reader wants to answer them. */
  constructor(onOpen) {
    this.#chip.addEventListener('click', onOpen);
  }

  show(count) {
    const waiting = tCount('suggestions.waiting', count);
    this.#chip.textContent = waiting;
    this.#chip.parentElement.hidden = !count;
    this.#button.toggleAttribute('data-count', count > 0);
    if (count) this.#button.dataset.count = count;
    const label = count ? t('panel.open.waiting', { open: t('panel.open'), waiting }) : t('panel.open');
    this.#button.setAttribute('aria-label', label);
    this.#button.title = label;
  }
}
