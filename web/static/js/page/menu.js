/** A menu that a button opens. The keys are those that readers know from other menus. */

import { byId, el } from './element.js';

const EDGE_PX = 8; // between the menu and the window's edge

let close = () => {}; // closes the menu that is open; there is one at most

/**
 * Opens the menu of a button, or closes it. `items` are {label, run, isGrave?, isChecked?}, or
 * {label, href} for a file that the browser saves. `note` is a line above them. The button is found
 * again by its id, because its list may have been drawn anew: while this was loaded, or while the
 * menu was open.
 */
export function toggleMenu(button, label, items, note = '') {
  const isOpen = byId('row-menu')?.dataset.opener === button.id;
  close();
  if (!isOpen) open(byId(button.id) ?? button, label, items, note);
}

function open(button, label, items, note) {
  const buttons = items.map((item) => drawItem(item));
  const menu = el('div', {
    class: 'menu', id: 'row-menu', role: 'menu', 'aria-label': label, popover: 'manual', 'data-opener': button.id,
  }, note ? el('p', { class: 'menu-note', role: 'presentation' }, note) : null, ...buttons);
  const listening = new AbortController();
  const { signal } = listening;
  close = ({ returnFocus = false } = {}) => {
    close = () => {};
    listening.abort();
    menu.remove();
    const opener = byId(button.id);
    opener?.setAttribute('aria-expanded', 'false');
    if (returnFocus) opener?.focus();
  };
  button.setAttribute('aria-expanded', 'true');
  document.body.append(menu);
  menu.showPopover();
  place(menu, button.getBoundingClientRect());
  buttons[0].focus();
  menu.addEventListener('keydown', (event) => handleKey(event, buttons));
  // A press on the button is left to its click, which closes the menu.
  const isElsewhere = (node) => !menu.contains(node) && node.closest('button')?.id !== button.id;
  const isOutside = ({ target }) => target instanceof Element && isElsewhere(target);
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && isElsewhere(relatedTarget)) close();
  });
  for (const type of ['pointerdown', 'wheel']) {
    document.addEventListener(type, (event) => isOutside(event) && close(), { signal });
  }
  window.addEventListener('resize', () => close(), { signal });
}

// The focus returns before the action, which may move it on.
function drawItem({ label, run = () => {}, href = null, isGrave = false, isChecked = null }) {
  const onclick = () => {
    close({ returnFocus: true });
    run();
  };
  const style = isGrave ? 'menu-item is-grave' : 'menu-item';
  if (href) return el('a', { role: 'menuitem', class: style, tabindex: '-1', href, download: true, onclick }, label);
  const role = isChecked === null ? { role: 'menuitem' } : { role: 'menuitemcheckbox', 'aria-checked': `${isChecked}` };
  return el('button', { type: 'button', ...role, class: style, tabindex: '-1', onclick }, label);
}

function handleKey(event, buttons) {
  const { key } = event;
  if (key === 'Tab') {
    close({ returnFocus: true }); // the browser then goes on from the button
    return;
  }
  if (key === 'Escape') {
    close({ returnFocus: true });
  } else {
    const next = findNext(key, buttons);
    if (!next) return;
    next.focus();
  }
  event.preventDefault();
}

/** The item that a key leads to, or undefined. A letter leads to the next item that begins with it. */
function findNext(key, buttons) {
  const current = buttons.indexOf(document.activeElement);
  const after = [...buttons.slice(current + 1), ...buttons.slice(0, current + 1)];
  const moves = { ArrowDown: after[0], ArrowUp: after.at(-2) ?? after[0], Home: buttons[0], End: buttons.at(-1) };
  if (key in moves) return moves[key];
  if (key.length !== 1 || key === ' ') return undefined;
  return after.find((button) => button.textContent.toLowerCase().startsWith(key.toLowerCase()));
}

// Below the button, or above it where there is no room. Positions set by script are no inline styles
// to the Content Security Policy.
function place(menu, anchor) {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isRoomBelow = anchor.bottom + height + EDGE_PX <= window.innerHeight;
  const top = isRoomBelow ? anchor.bottom : anchor.top - height;
  const left = Math.min(anchor.left, window.innerWidth - width - EDGE_PX);
  menu.style.top = `${Math.max(EDGE_PX, top)}px`;
  menu.style.left = `${Math.max(EDGE_PX, left)}px`;
}
