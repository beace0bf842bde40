/** What changes elsewhere while a reply is followed here is read again at its end. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { Emitter } = await import('../../../web/static/js/page/emitter.js');
const { InStep } = await import('../../../web/static/js/chat/in_step.js');

const settle = () => new Promise((resolve) => { setTimeout(resolve); });

/** How often the open chat `c1` is read again, where a reply is followed and these changes come. */
async function countReadings(attempts, { follows = 'a1', id = 'c1', isNew = false } = {}) {
  let count = 0;
  globalThis.fetch = async () => {
    count += 1;
    return Response.json({ messages: [] });
  };
  const state = { id: isNew ? null : 'c1', isLive: true, isBusy: false, follows: (attempt) => attempt === follows, change() {} };
  const chat = Object.assign(new Emitter(), state);
  const inStep = new InStep(chat, { hasNewer: false, update() {} }, () => {});
  for (const attempt of attempts) inStep.note({ type: 'conversation.changed', data: { conversation_id: id, attempt } });
  await settle();
  assert.equal(count, 0);
  Object.assign(chat, { id: 'c1', isLive: false });
  chat.emit('ended');
  chat.emit('ended');
  await settle();
  return count;
}

test('a message that was reworded or deleted elsewhere', async () => {
  assert.equal(await countReadings(['a2']), 1);
  assert.equal(await countReadings([null, 'a2', 'a2']), 1);
});

test('the beginning and the end of the reply itself', async () => {
  assert.equal(await countReadings(['a1', 'a1']), 0);
});

test('the beginning of a reply in a new chat, whose id comes later', async () => {
  assert.equal(await countReadings(['a1'], { isNew: true }), 0);
  assert.equal(await countReadings(['a2'], { isNew: true }), 1);
});

test('another chat', async () => {
  assert.equal(await countReadings(['a2'], { id: 'c2' }), 0);
});
