/** What was read again is not shown where a message was sent here meanwhile. */

import '../../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { readAgain } = await import('../../../../web/static/js/chat/messages/reading_again.js');

const PAGE = { messages: [{ sequence_number: 0, role: 'user', content: 'Hello.', status: 'complete' }] };

/** The messages that a thread was given to show. */
async function readWhile(mayShow) {
  const shown = [];
  globalThis.fetch = async () => Response.json(PAGE);
  const thread = { lastSequence: 0, update: (messages) => shown.push(...messages) };
  const page = await readAgain({ thread, id: 'c1', signal: undefined }, () => mayShow);
  return { shown, page };
}

test('nothing was sent meanwhile', async () => {
  const { shown, page } = await readWhile(true);
  assert.deepEqual(shown, PAGE.messages);
  assert.equal(page.open, null);
});

test('a message was sent meanwhile, which may be among those that were read', async () => {
  const { shown, page } = await readWhile(false);
  assert.deepEqual(shown, []);
  assert.equal(page, null);
});
