/** The line under a reply that says what was recalled for it, and opens to all details. */

import { runAction } from '../page/action.js';
import { el } from '../page/element.js';
import { t, tCount } from '../text/texts.js';

export class Provenance {
  element = el('details', { class: 'provenance', hidden: true });
  #label = el('summary', {});
  #body = el('div', { class: 'provenance-body' });
  #isDrawn = false;
  #model = null;

  /** `fetchTrace()` resolves to the reply's trace. */
  constructor(fetchTrace) {
    this.element.append(this.#label, this.#body);
    this.element.addEventListener('toggle', () => this.#open(fetchTrace));
  }

  /** `remembered` and `model` are the API's. Without a trace the line is hidden. */
  show(remembered, hasTrace, model = null) {
    this.#model = model;
    this.element.hidden = !hasTrace;
    this.element.open = false;
    this.#isDrawn = false; // another variant has another trace
    this.#label.textContent = remembered
      ? t('provenance.line', { what: listParts(remembered).join(', ') })
      : t('provenance.details');
  }

  async #open(fetchTrace) {
    if (!this.element.open || this.#isDrawn) return;
    await runAction(this.element, async () => {
      const { drawTrace } = await import('./trace.js'); // few readers open it
      this.#body.replaceChildren(...drawTrace(await fetchTrace(), this.#model));
      this.#isDrawn = true;
    });
  }
}

function listParts({ facts, episodes, messages, points, cut }) {
  const parts = [
    facts && tCount('provenance.facts', facts),
    episodes && tCount('provenance.episodes', episodes),
    messages && tCount('provenance.messages', messages),
    points && t('provenance.summary'),
  ].filter(Boolean);
  return parts.length ? parts : [tCount('provenance.only_cut', cut)];
}
