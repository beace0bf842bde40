/** Pages through the variants of a reply: ‹ 2/3 ›. */

import { el, iconButton } from '../../page/element.js';
import { announce } from '../../page/notices.js';
import { t } from '../../text/texts.js';

export class VariantPager {
  element;
  #numbers = [];
  #place = 0; // of the shown variant in `#numbers`
  #count = el('span', { class: 'variant-count' });
  #older = iconButton('back', t('variants.older'), { class: 'quiet', onclick: () => this.#turn(-1) });
  #newer = iconButton('forth', t('variants.newer'), { class: 'quiet', onclick: () => this.#turn(1) });
  #onTurn;

  /** `onTurn(number)` shows a variant, and resolves to whether it is shown. */
  constructor(onTurn) {
    this.#onTurn = onTurn;
    const label = { role: 'group', 'aria-label': t('variants.label') };
    this.element = el('div', { class: 'variants', hidden: true, ...label }, this.#older, this.#count, this.#newer);
  }

  /** `numbers` are those of all variants, in order; `shown` is the one on the page. */
  show(numbers, shown) {
    this.#numbers = numbers;
    this.#place = Math.max(0, numbers.indexOf(shown));
    this.element.hidden = numbers.length < 2;
    this.#count.textContent = t('variants.count', this.#values);
    // A disabled button would lose the focus.
    this.#older.ariaDisabled = String(this.#place === 0);
    this.#newer.ariaDisabled = String(this.#place === numbers.length - 1);
  }

  get #values() {
    return { place: this.#place + 1, count: this.#numbers.length };
  }

  async #turn(step) {
    const number = this.#numbers[this.#place + step];
    if (number === undefined || this.element.ariaBusy === 'true') return;
    this.element.ariaBusy = 'true';
    const isShown = await this.#onTurn(number);
    this.element.ariaBusy = 'false';
    if (isShown) announce(t('variants.shown', this.#values));
  }
}
