/** The line under a reply that says what was remembered for it, and opens to all of it. */

import { attempt } from './attempt.js';
import { el } from './element.js';
import { drawTrace } from './trace.js';
import { t, tCount } from './texts.js';

export class Given {
  element = el('details', { class: 'given', hidden: true });
  #label = el('summary', {});
  #body = el('div', { class: 'given-body' });
  #isDrawn = false;

  /** `fetchTrace()` resolves to the reply's trace. */
  constructor(fetchTrace) {
    this.element.append(this.#label, this.#body);
    this.element.addEventListener('toggle', () => this.#open(fetchTrace));
  }

  /** `remembered` is the API's; without it there is nothing to tell, and no line. */
  show(remembered) {
    this.element.hidden = !remembered;
    if (remembered) this.#label.textContent = t('given.line', { what: partsOf(remembered).join(', ') });
  }

  async #open(fetchTrace) {
    if (!this.element.open || this.#isDrawn) return;
    await attempt(this.element, async () => {
      this.#body.replaceChildren(...drawTrace(await fetchTrace()));
      this.#isDrawn = true;
    });
  }
}

function partsOf({ facts, episodes, messages, points, cut }) {
  const parts = [
    facts && tCount('given.facts', facts),
    episodes && tCount('given.episodes', episodes),
    messages && tCount('given.messages', messages),
    points && t('given.summary'),
  ].filter(Boolean);
  return parts.length ? parts : [tCount('given.only_cut', cut)];
}
