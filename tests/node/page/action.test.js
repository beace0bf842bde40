/** What is read for a section is read once more where it may have changed meanwhile. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { createRefresh } = await import('../../../web/static/js/page/action.js');

/** A refresh of which no reading ends before `answer()`, and the readings that are under way. */
function makeRefresh() {
  const waiting = [];
  let count = 0;
  const frame = document.createElement('div');
  const refresh = createRefresh(frame, () => new Promise((resolve, reject) => {
    count += 1;
    waiting.push({ resolve, reject });
  }));
  const answer = async () => {
    waiting.shift().resolve();
    await new Promise((done) => { setTimeout(done, 0); });
  };
  return { refresh, answer, waiting, frame, count: () => count };
}

test('a call while it is read makes it be read again, and several do so once', async () => {
  const { refresh, answer, count } = makeRefresh();
  const first = refresh();
  refresh();
  refresh();
  assert.equal(count(), 1);
  await answer();
  assert.equal(count(), 2);
  await answer();
  assert.equal(await first, true);
  assert.equal(count(), 2);
});

test('a failure is shown, and the next call reads again', async () => {
  const { refresh, answer, waiting, frame, count } = makeRefresh();
  const first = refresh();
  waiting.shift().reject({ code: 'network' });
  assert.equal(await first, false);
  assert.ok(frame.querySelector('.problem'));
  const second = refresh();
  await answer();
  assert.equal(await second, true);
  assert.equal(count(), 2);
  assert.equal(frame.querySelector('.problem'), null);
});
