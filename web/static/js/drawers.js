/** The list and the panel: beside the chat where there is room, over it where there is not. */

import { byId } from './element.js';
import { keep, recallKept } from './kept.js';

export class Drawer {
  static #all = [];
  #name;
  #element;
  #opener;
  #inline; // matches while there is room beside the chat
  #onChange;

  constructor(name, inlineFrom, onChange = () => {}) {
    this.#name = name;
    this.#element = byId(name);
    this.#opener = document.querySelector(`[data-opens="${name}"]`);
    this.#inline = window.matchMedia(`(min-width: ${inlineFrom}px)`);
    this.#onChange = onChange;
    Drawer.#all.push(this);
    this.#opener.addEventListener('click', () => this.#set(!this.isOpen, true));
    document.querySelector(`[data-closes="${name}"]`).addEventListener('click', () => this.close());
    this.#inline.addEventListener('change', () => this.#settle());
    this.#settle();
  }

  get isOpen() {
    return this.#element.dataset.state === 'open';
  }

  /** Whether the drawer lies over the chat just now. */
  get isOver() {
    return this.isOpen && !this.#inline.matches;
  }

  open() {
    if (!this.isOpen) this.#set(true, true);
  }

  close() {
    if (this.isOpen) this.#set(false, true);
  }

  closeIfOver() {
    if (this.isOver) this.close();
  }

  #settle() {
    this.#set(this.#inline.matches && recallKept(this.#name) !== 'closed');
  }

  #set(isOpen, isByHand = false) {
    this.#element.dataset.state = isOpen ? 'open' : 'closed';
    this.#opener.setAttribute('aria-expanded', isOpen);
    // What lies under a drawer is out of reach for the keyboard as well.
    const isCovered = Drawer.#all.some((drawer) => drawer.isOver);
    byId('scrim').hidden = !isCovered;
    byId('chat').inert = isCovered;
    if (isByHand) this.#noteChoice(isOpen);
    this.#onChange(isOpen);
  }

  #noteChoice(isOpen) {
    if (this.#inline.matches) keep(this.#name, isOpen ? '' : 'closed');
    if (this.isOver) this.#element.querySelector('[data-closes]').focus();
    else if (!isOpen) this.#opener.focus();
  }
}

/** Only one drawer lies over the chat at a time; the scrim and Escape close it. */
export function closeOver(drawers) {
  const open = drawers.filter((drawer) => drawer.isOver);
  open.forEach((drawer) => drawer.close());
  return open.length > 0;
}
