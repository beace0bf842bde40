/** Facts that are about to be forgotten everywhere. Until the server is asked, it can be undone. */

import { forgetFact } from '../api/memory.js';
import { Deletions } from '../page/deletions.js';
import { formatFact } from '../text/facts.js';
import { t } from '../text/texts.js';

const BEGINNING = 'forgetting.';

export class Forgettings {
  #deletions;
  #names = new Map(); // by id: the fact as a sentence

  /**
   * `on.changed()`: the facts are to be shown anew. `on.deleted(receipt)`: one was forgotten; without
   * a receipt another tab has asked. `on.failed(error)`: one was not.
   */
  constructor(on) {
    this.#deletions = new Deletions(BEGINNING, {
      request: forgetFact,
      hidden: on.changed,
      restored: on.changed,
      deleted: (id, receipt) => on.deleted(receipt),
      failed: on.failed,
      describe: (id) => t('erase.fact.pending', { fact: this.#names.get(id) ?? '' }),
    });
  }

  start = (fact, choices) => {
    const id = String(fact.fact_id);
    this.#names.set(id, formatFact(fact));
    this.#deletions.start(id, choices);
  };

  isPending = (fact) => this.#deletions.isPending(String(fact.fact_id));

  resume() {
    this.#deletions.resume();
  }
}
