/** The list below a field: groups of options, one of which is selected. The focus stays in the field. */

import { el } from './element.js';

export class Options {
  element;
  #name;
  #field;
  #options = []; // {element, run, key}
  #selected = -1;
  #isMoved = false; // the reader has gone through the list with the arrow keys
  #onChosen;

  /**
   * `name` begins the ids. `field` has the focus, and is told which option is selected. `onChosen(run)` is
   * called with what the chosen option does.
   */
  constructor(name, field, onChosen) {
    this.#name = name;
    this.#field = field;
    this.element = el('div', { class: 'palette-options', id: `${name}-options`, role: 'listbox' });
    this.#onChosen = onChosen;
    // A list that opens below a resting pointer is told of a move, too.
    this.element.addEventListener('mousemove', ({ target, movementX, movementY }) => {
      const option = (movementX || movementY) && target.closest('[role="option"]');
      if (option) this.#select(this.#options.findIndex(({ element }) => element === option), { scroll: false });
    });
  }

  /**
   * `groups` are {title, options: [{key, nodes, about?, run}]}. The first option is selected. With
   * `keeps`, what the reader has moved to stays selected if it is there again.
   */
  show(groups, { keeps = false } = {}) {
    const selectedKey = keeps && this.#isMoved ? this.#options[this.#selected]?.key : null;
    this.#options = [];
    this.element.replaceChildren(...groups.map((group, number) => this.#drawGroup(group, number)));
    this.element.hidden = !this.#options.length;
    this.#selected = -1;
    this.#field.removeAttribute('aria-activedescendant');
    this.element.scrollTop = 0;
    const again = this.#options.findIndex(({ key }) => key === selectedKey);
    this.#isMoved = again >= 0;
    this.#select(Math.max(again, 0));
  }

  move(step) {
    if (!this.#options.length) return;
    const last = this.#options.length - 1;
    const isSingle = Math.abs(step) === 1;
    let next = this.#selected + step;
    if (next < 0) next = isSingle ? last : 0;
    if (next > last) next = isSingle ? 0 : last;
    this.#select(next);
    this.#isMoved = true;
  }

  choose() {
    const option = this.#options[this.#selected];
    if (option) this.#onChosen(option.run);
  }

  #drawGroup({ title, options }, number) {
    const id = `${this.#name}-group-${number}`;
    return el('div', { role: 'group', 'aria-labelledby': id },
      el('div', { class: 'day', id, role: 'presentation' }, title),
      ...options.map((option) => this.#drawOption(option)));
  }

  #drawOption({ key, nodes, about, run }) {
    const element = el('div', {
      role: 'option',
      class: 'palette-option',
      id: `${this.#name}-option-${this.#options.length}`,
      'aria-selected': 'false',
      onclick: () => this.#onChosen(run),
    }, about && el('span', { class: 'hit-about', dir: 'auto' }, about), el('span', { class: 'hit-text', dir: 'auto' }, ...nodes));
    this.#options.push({ element, run, key });
    return element;
  }

  #select(number, { scroll = true } = {}) {
    const option = this.#options[number];
    if (!option) return;
    this.#options[this.#selected]?.element.setAttribute('aria-selected', 'false');
    this.#selected = number;
    option.element.setAttribute('aria-selected', 'true');
    this.#field.setAttribute('aria-activedescendant', option.element.id);
    if (scroll) option.element.scrollIntoView({ block: 'nearest' });
  }
}
