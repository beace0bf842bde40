/** The palette's list: groups of options, one of which is selected. */

import { el } from '../page/element.js';

export class Options {
  element = el('div', { class: 'palette-options', id: 'palette-options', role: 'listbox' });
  #options = []; // {element, run}
  #selected = -1;
  #onChosen;

  /** `onChosen(run)` is called with what the chosen option does. */
  constructor(onChosen) {
    this.#onChosen = onChosen;
    this.element.addEventListener('mousemove', ({ target }) => {
      const option = target.closest('[role="option"]');
      if (option) this.#select(this.#options.findIndex(({ element }) => element === option), { scroll: false });
    });
  }

  get selectedId() {
    return this.#options[this.#selected]?.element.id ?? null;
  }

  /** `groups` are {title, options: [{nodes, about?, run}]}. The first option is selected. */
  show(groups) {
    this.#options = [];
    this.element.replaceChildren(...groups.map((group, number) => this.#drawGroup(group, number)));
    this.element.hidden = !this.#options.length;
    this.#selected = -1;
    this.#select(0);
    this.element.scrollTop = 0;
  }

  move(step) {
    if (!this.#options.length) return;
    const last = this.#options.length - 1;
    const isSingle = Math.abs(step) === 1;
    let next = this.#selected + step;
    if (next < 0) next = isSingle ? last : 0;
    if (next > last) next = isSingle ? 0 : last;
    this.#select(next);
  }

  choose() {
    const option = this.#options[this.#selected];
    if (option) this.#onChosen(option.run);
  }

  #drawGroup({ title, options }, number) {
    const id = `palette-group-${number}`;
    return el('div', { role: 'group', 'aria-labelledby': id },
      el('div', { class: 'day', id, role: 'presentation' }, title),
      ...options.map((option) => this.#drawOption(option)));
  }

  #drawOption({ nodes, about, run }) {
    const element = el('div', {
      role: 'option',
      class: 'palette-option',
      id: `palette-option-${this.#options.length}`,
      'aria-selected': 'false',
      onclick: () => this.#onChosen(run),
    }, about && el('span', { class: 'hit-about', dir: 'auto' }, about), el('span', { class: 'hit-text', dir: 'auto' }, ...nodes));
    this.#options.push({ element, run });
    return element;
  }

  #select(number, { scroll = true } = {}) {
    const option = this.#options[number];
    if (!option) return;
    this.#options[this.#selected]?.element.setAttribute('aria-selected', 'false');
    this.#selected = number;
    option.element.setAttribute('aria-selected', 'true');
    if (scroll) option.element.scrollIntoView({ block: 'nearest' });
  }
}
