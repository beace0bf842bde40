/** The line under a reply that says what was recalled for it, and opens to all details. */

import { runAction } from '../../page/action.js';
import { el } from '../../page/element.js';
import { t, tCount } from '../../text/texts.js';

export class Provenance {
  element = el('details', { class: 'provenance', hidden: true });
  #label = el('summary', {});
  #body = el('div', { class: 'provenance-body' });
  #fetchTrace;
  #shownCount = 0; // counts what was shown: each has another trace
  #drawnCount = null; // the count of what is drawn
  #model = null;

  /** `fetchTrace()` resolves to the reply's trace. */
  constructor(fetchTrace) {
    this.#fetchTrace = fetchTrace;
    this.element.append(this.#label, this.#body);
    this.element.addEventListener('toggle', () => this.#draw());
  }

  /**
   * `remembered` and `model` are the API's. Without a trace the line is hidden. Details that the
   * reader has opened stay open, and are read again.
   */
  show(remembered, hasTrace, model = null) {
    this.#model = model;
    this.#shownCount += 1;
    this.element.hidden = !hasTrace;
    if (!hasTrace) this.element.open = false;
    this.#label.textContent = remembered
      ? t('provenance.line', { what: listParts(remembered).join(', ') })
      : t('provenance.details');
    this.#draw();
  }

  async #draw() {
    if (!this.element.open || this.#drawnCount === this.#shownCount) return;
    await runAction(this.element, async () => {
      const { drawTrace } = await import('./trace.js'); // few readers open it
      while (this.#drawnCount !== this.#shownCount) { // another may be shown meanwhile
        const count = this.#shownCount;
        this.#body.replaceChildren(...drawTrace(await this.#fetchTrace(), this.#model));
        this.#drawnCount = count;
      }
    });
  }
}

function listParts({ facts, episodes, messages, passages, points, cut }) {
  const parts = [
    facts && tCount('provenance.facts', facts),
    episodes && tCount('provenance.episodes', episodes),
    messages && tCount('provenance.messages', messages),
    passages && tCount('provenance.passages', passages),
    points && t('provenance.summary'),
  ].filter(Boolean);
  return parts.length ? parts : [tCount('provenance.only_cut', cut)];
}
