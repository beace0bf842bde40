/** Forgets a fact everywhere, after a preview in which the reader chooses what goes with it. */

import { forgetFact } from '../api/memory.js';
import { confirmAction } from '../page/dialogs.js';
import { el } from '../page/element.js';
import { drawChoice, drawErasurePreview } from '../page/erasure_preview.js';
import { formatFact } from '../text/facts.js';
import { t, tCount } from '../text/texts.js';

/** Resolves to the arguments of the deletion, or to null if the reader does not want it. */
export async function chooseErasure(fact) {
  const dialog = new FactErasure(fact);
  const mentions = await dialog.load(false);
  const more = mentions > 0 && drawChoice(tCount('erase.mentions_too', mentions), false, (isTicked) => dialog.load(isTicked));
  const title = t('erase.fact.title', { fact: formatFact(fact) });
  const question = { title, text: t('erase.fact.text'), verb: t('erase.fact.verb') };
  const details = [dialog.others, more, dialog.preview].filter(Boolean);
  return (await confirmAction({ ...question, details })) ? dialog.choices : null;
}

class FactErasure {
  others = el('div', {});
  preview = el('div', { class: 'erasure-preview' });
  #id;
  #going = new Set(); // ids of other facts
  #withMentions = false;

  constructor({ fact_id: id }) {
    this.#id = id;
  }

  get choices() {
    return `with_facts=${[...this.#going].join(',')}&with_mentions=${this.#withMentions}`;
  }

  /** Shows what goes when the reader has chosen nothing else. Resolves to the number of mentions. */
  async load(withMentions) {
    this.#withMentions = withMentions;
    const receipt = await this.#ask(`with_mentions=${withMentions}`);
    const facts = receipt.facts ?? [];
    this.#going = new Set(facts.filter((fact) => !fact.stays).map((fact) => fact.fact_id));
    const rows = facts.map((fact) => drawChoice(formatFact(fact), !fact.stays, (isTicked) => this.#choose(fact, isTicked)));
    this.others.replaceChildren(...(rows.length ? [el('p', {}, t('erase.fact.others'))] : []), ...rows);
    return receipt.mentions_left;
  }

  #choose({ fact_id: id }, isTicked) {
    if (isTicked) this.#going.add(id);
    else this.#going.delete(id);
    this.#ask(this.choices);
  }

  async #ask(choices) {
    try {
      const receipt = await forgetFact(this.#id, `${choices}&dry_run=true`);
      this.preview.replaceChildren(...drawErasurePreview({ ...receipt, facts: [] }));
      return receipt;
    } catch (error) {
      this.preview.replaceChildren();
      throw error;
    }
  }
}
