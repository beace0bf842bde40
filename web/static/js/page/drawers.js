/** The list and the panel. They stand beside the chat on wide screens, and over it on narrow ones. */

import { byId } from './element.js';
import { readStored, store } from './storage.js';

// The same widths as in css/layout.css.
const BESIDE_FROM_PX = { list: 860, panel: 1200 };

export class Drawer {
  static #all = [];
  #name;
  #element;
  #opener;
  #wideScreen; // the media query for a drawer beside the chat
  #opensAtFirst;
  #onChange;

  /** `opensAtFirst`: on a wide screen it is open until the reader closes it. `onChange(isOpen)` is called whenever the drawer opens or closes. */
  constructor(name, { opensAtFirst = false, onChange = () => {} } = {}) {
    this.#name = name;
    this.#element = byId(name);
    this.#opener = document.querySelector(`[data-opens="${name}"]`);
    this.#wideScreen = window.matchMedia(`(min-width: ${BESIDE_FROM_PX[name]}px)`);
    this.#opensAtFirst = opensAtFirst;
    this.#onChange = onChange;
    Drawer.#all.push(this);
    this.#opener.addEventListener('click', () => this.#setByReader(!this.isOpen));
    document.querySelector(`[data-closes="${name}"]`).addEventListener('click', () => this.close());
    this.#wideScreen.addEventListener('change', () => this.#adapt());
    this.#adapt();
  }

  get isOpen() {
    return this.#element.dataset.state === 'open';
  }

  /** Whether the drawer covers the chat. */
  get isOverChat() {
    return this.isOpen && !this.#wideScreen.matches;
  }

  /** Closes the drawers that cover the chat. Returns whether there were any. */
  static closeOverChat() {
    const open = Drawer.#all.filter((drawer) => drawer.isOverChat);
    for (const drawer of open) drawer.close();
    return open.length > 0;
  }

  open() {
    if (!this.isOpen) this.#setByReader(true);
  }

  close() {
    if (this.isOpen) this.#setByReader(false);
  }

  #adapt() {
    const stays = (readStored(this.#name) ?? (this.#opensAtFirst ? 'open' : 'closed')) === 'open';
    this.#set(this.#wideScreen.matches && stays);
    this.#onChange(this.isOpen);
  }

  // On a wide screen the choice is kept for the next visit. The focus follows the drawer.
  #setByReader(isOpen) {
    this.#set(isOpen);
    if (this.#wideScreen.matches) store(this.#name, isOpen ? 'open' : 'closed');
    if (this.isOverChat) this.#element.querySelector('[data-closes]').focus();
    else if (!isOpen) this.#opener.focus();
    this.#onChange(isOpen);
  }

  // A chat that is covered is out of reach for the keyboard, too.
  #set(isOpen) {
    this.#element.dataset.state = isOpen ? 'open' : 'closed';
    this.#opener.setAttribute('aria-expanded', isOpen);
    const isCovered = Drawer.#all.some((drawer) => drawer.isOverChat);
    byId('scrim').hidden = !isCovered;
    byId('chat').inert = isCovered;
  }
}

