/** What changes together is read in one go, and one go after the other. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { Refresher } = await import('../../../web/static/js/page/refresher.js');

/** A refresher whose reads end when the test says so, on a clock that is the test's. */
function prepare(context, { nextLook = () => null } = {}) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  Object.defineProperty(document, 'hidden', { value: false, configurable: true });
  const reads = [];
  const ends = [];
  const refresher = new Refresher((kinds) => {
    reads.push([...kinds].sort().join());
    return new Promise((resolve) => { ends.push(resolve); });
  }, nextLook);
  refresher.start();
  return { refresher, reads, pass: async (ms) => {
    context.mock.timers.tick(ms);
    await settle();
  }, end: async (isRead = true) => {
    ends.shift()(isRead);
    await settle();
  } };
}

const settle = () => new Promise((resolve) => { setImmediate(resolve); });

test('a burst is read once, soon after its first change', async (context) => {
  const { refresher, reads, pass } = prepare(context);
  refresher.refreshSoon(['facts']);
  await pass(60);
  refresher.refreshSoon(['facts', 'jobs']);
  assert.deepEqual(reads, []);
  await pass(40);
  assert.deepEqual(reads, ['facts,jobs']);
});

test('what changes while it is read is read again at the end, once', async (context) => {
  const { refresher, reads, end } = prepare(context);
  refresher.refresh(['facts']);
  refresher.refresh(['jobs']);
  await settle();
  assert.deepEqual(reads, ['facts,jobs']);
  refresher.refresh(['facts']);
  refresher.refresh(['episodes']);
  await settle();
  assert.equal(reads.length, 1);
  await end();
  assert.deepEqual(reads, ['facts,jobs', 'episodes,facts']);
  await end();
  assert.equal(reads.length, 2);
});

test('what could not be read is read with the next change, or after a while', async (context) => {
  const { refresher, reads, pass, end } = prepare(context);
  refresher.refresh(['facts']);
  await settle();
  await end(false);
  refresher.refresh(['jobs']);
  await settle();
  assert.deepEqual(reads, ['facts', 'facts,jobs']);
  await end(false);
  await pass(5000);
  assert.deepEqual(reads.slice(2), ['facts,jobs']);
});

test('nothing is read while it is stopped or the page is hidden', async (context) => {
  const { refresher, reads, pass } = prepare(context);
  refresher.stop();
  refresher.refreshSoon(['facts']);
  await pass(1000);
  refresher.start();
  Object.defineProperty(document, 'hidden', { value: true });
  refresher.refreshSoon(['jobs']);
  await pass(1000);
  assert.deepEqual(reads, []);
  Object.defineProperty(document, 'hidden', { value: false });
  refresher.refresh([]);
  await settle();
  assert.deepEqual(reads, ['facts,jobs']);
});

test('it looks again while work is under way, and a read puts the look off', async (context) => {
  let look = { kinds: ['jobs'], afterMs: 1000 };
  const { refresher, reads, pass, end } = prepare(context, { nextLook: () => look });
  refresher.refresh(['facts']);
  await settle();
  await end();
  await pass(900);
  refresher.refresh(['facts']);
  await settle();
  await end();
  await pass(900);
  assert.deepEqual(reads, ['facts', 'facts']);
  await pass(100);
  assert.deepEqual(reads, ['facts', 'facts', 'jobs']);
  look = null;
  await end();
  await pass(5000);
  assert.equal(reads.length, 3);
});
