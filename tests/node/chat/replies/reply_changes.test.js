/** A reply that was read again is not shown in place of one that is written by now. */

import '../../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { refreshReply } = await import('../../../../web/static/js/chat/replies/reply_changes.js');

const MESSAGE = { sequence_number: 1, role: 'assistant', content: 'The old one.', status: 'complete' };

async function refreshOne(reply) {
  const settled = [];
  globalThis.fetch = async () => Response.json({ messages: [MESSAGE] });
  const thread = { replyAt: () => reply && { ...reply, settle: (message) => settled.push(message.content) } };
  await refreshReply({ thread, id: 'c1', signal: undefined }, 1);
  return settled;
}

test('one that is whole is shown as it is now', async () => {
  assert.deepEqual(await refreshOne({ isOpen: false }), [MESSAGE.content]);
});

test('one that is written again meanwhile goes on', async () => {
  assert.deepEqual(await refreshOne({ isOpen: true }), []);
});

test('one that is not shown any more is left alone', async () => {
  assert.deepEqual(await refreshOne(undefined), []);
});
