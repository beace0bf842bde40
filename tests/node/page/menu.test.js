/** A menu belongs to the button that is shown, also where the list was drawn anew while it was loaded. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

window.HTMLElement.prototype.showPopover = () => {}; // jsdom has none
globalThis.AbortController = window.AbortController; // jsdom's listeners take no other
const { toggleMenu } = await import('../../../web/static/js/page/menu.js');

function drawButton() {
  const button = document.createElement('button');
  button.id = 'more-c1';
  document.body.querySelector('#more-c1')?.remove();
  document.body.append(button);
  return button;
}

test('the new button is told that its menu is open', () => {
  const pressed = drawButton();
  const shown = drawButton();
  toggleMenu(pressed, 'More', [{ label: 'Rename' }]);
  assert.equal(shown.getAttribute('aria-expanded'), 'true');
  toggleMenu(pressed, 'More', [{ label: 'Rename' }]);
  assert.equal(document.getElementById('row-menu'), null);
  assert.equal(shown.getAttribute('aria-expanded'), 'false');
});
