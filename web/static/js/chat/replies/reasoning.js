/** What the model thinks before a reply: folded, above the reply, and no part of it. */

import { runAction } from '../../page/action.js';
import { el } from '../../page/element.js';
import { t } from '../../text/texts.js';

const SECOND_MS = 1000;

export class Reasoning {
  element = el('details', { class: 'reasoning', hidden: true });
  #label = el('summary', {});
  #body = el('p', { class: 'reasoning-text', dir: 'auto' });
  #fetchTrace;
  #isComing = false;
  #ms = 0; // how long the model has thought
  #variant = null; // the one of the reply that it belongs to; null until the server tells it

  /** `fetchTrace()` resolves to the reply's trace. Screen readers are told nothing by themselves. */
  constructor(fetchTrace) {
    this.#fetchTrace = fetchTrace;
    this.element.append(this.#label, this.#body);
    this.element.addEventListener('toggle', () => this.#load());
  }

  /** It comes from its beginning. */
  begin() {
    this.#isComing = false;
    this.#body.textContent = '';
  }

  /** `ms` is how long the model has thought so far. */
  append({ text, ms }) {
    if (!this.#isComing) {
      this.#isComing = true;
      this.#label.textContent = t('reply.thinking');
      this.element.hidden = false;
    }
    this.#ms = ms;
    this.#body.append(text);
  }

  /** The reply's words are there. */
  end() {
    if (!this.#isComing) return;
    this.#isComing = false;
    this.#tell(this.#ms);
  }

  /** `ms` is how long it took; null for a reply without it. `variant` is the reply's, if it is known. */
  settle(ms, variant = null) {
    this.#isComing = false;
    this.element.hidden = ms === null;
    const isOther = variant !== null && this.#variant !== null && variant !== this.#variant;
    if (ms === null || isOther) this.forget();
    this.#variant = variant ?? this.#variant;
    if (ms === null) this.element.open = false;
    else this.#tell(ms);
    this.#load();
  }

  /** What was shown may have been deleted: it is read again where the reader wants it. */
  forget() {
    this.#body.textContent = '';
    this.#load();
  }

  #tell(ms) {
    const time = t('unit.s', { value: Math.round(ms / SECOND_MS) });
    this.#label.textContent = ms < SECOND_MS ? t('reasoning.moment') : t('reasoning.time', { time });
  }

  async #load() {
    if (!this.element.open || this.element.hidden || this.#isComing || this.#body.textContent) return;
    await runAction(this.element, async () => {
      const { reasoning } = await this.#fetchTrace();
      if (!this.#body.textContent) this.#body.textContent = reasoning?.text ?? t('reasoning.gone');
    });
  }
}
