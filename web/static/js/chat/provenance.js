/** The line under a reply that says what was recalled for it, and opens to the details. */

import { runAction } from '../page/action.js';
import { el } from '../page/element.js';
import { t, tCount } from '../text/texts.js';
import { drawTrace } from './trace.js';

export class Provenance {
  element = el('details', { class: 'provenance', hidden: true });
  #label = el('summary', {});
  #body = el('div', { class: 'provenance-body' });
  #isDrawn = false;

  /** `fetchTrace()` resolves to the reply's trace. */
  constructor(fetchTrace) {
    this.element.append(this.#label, this.#body);
    this.element.addEventListener('toggle', () => this.#open(fetchTrace));
  }

  /** `remembered` is the API's. Without it the line is hidden. */
  show(remembered) {
    this.element.hidden = !remembered;
    if (remembered) this.#label.textContent = t('provenance.line', { what: listParts(remembered).join(', ') });
  }

  async #open(fetchTrace) {
    if (!this.element.open || this.#isDrawn) return;
    await runAction(this.element, async () => {
      this.#body.replaceChildren(...drawTrace(await fetchTrace()));
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
