/** A notice that the server cannot be reached stays to be read, and goes when the server answers. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { notifyError } = await import('../../../web/static/js/page/failures.js');

const UNREACHABLE = { code: 'network', message: 'x' };

function openNotices(context) {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
  document.body.innerHTML = '<div id="notices"></div>';
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
}

const count = () => document.querySelectorAll('.notice').length;
const answer = () => document.dispatchEvent(new Event('answered'));

test('an answer to another request leaves it for some seconds', (context) => {
  openNotices(context);
  notifyError(UNREACHABLE);
  answer();
  context.mock.timers.tick(3900);
  assert.equal(count(), 1);
  context.mock.timers.tick(200);
  assert.equal(count(), 0);
});

test('one that was read goes with the first answer', (context) => {
  openNotices(context);
  notifyError(UNREACHABLE);
  context.mock.timers.tick(5000);
  assert.equal(count(), 1);
  answer();
  context.mock.timers.tick(1);
  assert.equal(count(), 0);
});

test('a newer one is not taken for the older', (context) => {
  openNotices(context);
  notifyError(UNREACHABLE);
  answer();
  context.mock.timers.tick(3000);
  notifyError(UNREACHABLE);
  context.mock.timers.tick(2000);
  assert.equal(count(), 1);
});
