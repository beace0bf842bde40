/** What changes elsewhere while a reply is followed here is read again at its end. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { InStep } = await import('../../../web/static/js/chat/in_step.js');

/** How often the open chat `c1` is read again, where a reply is followed and these changes come. */
function countSyncs(attempts, { follows = 'a1', id = 'c1' } = {}) {
  let count = 0;
  const chat = { isLive: true, follows: (attempt) => attempt === follows, sync: () => { count += 1; } };
  const inStep = new InStep(chat, { currentId: () => 'c1', refreshList() {} });
  for (const attempt of attempts) inStep.note({ type: 'conversation.changed', data: { conversation_id: id, attempt } });
  assert.equal(count, 0);
  chat.isLive = false;
  inStep.catchUpMissed();
  inStep.catchUpMissed();
  return count;
}

test('a message that was reworded or deleted elsewhere', () => {
  assert.equal(countSyncs(['a2']), 1);
  assert.equal(countSyncs([null, 'a2', 'a2']), 1);
});

test('the beginning and the end of the reply itself', () => {
  assert.equal(countSyncs(['a1', 'a1']), 0);
});

test('another chat', () => {
  assert.equal(countSyncs(['a2'], { id: 'c2' }), 0);
});
