/** Rows of the list stay while nothing changes: one that is replaced while it is pressed hears of no click. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

document.body.insertAdjacentHTML('beforeend', '<div id="conversations"></div>');
const { Emitter } = await import('../../../web/static/js/page/emitter.js');
const { Conversations } = await import('../../../web/static/js/list/conversations.js');

const ROW = { conversation_id: 'c1', chat_id: 'c1', title: 'A wren', preview: '', updated_at: '2026-01-02T03:04:05+00:00', pinned: false, archived: false, project: null };

function serve(rows) {
  globalThis.fetch = async (path) => Response.json(
    path.startsWith('/api/v1/projects') ? { projects: [] } : { conversations: path.includes('pinned') ? [] : rows, next_cursor: null },
  );
}

const rowOf = (id) => document.getElementById(`conversation-${id}`);

test('a row is drawn anew only after a change', async () => {
  const conversations = new Conversations(new Emitter(), { failed: assert.fail });
  serve([ROW]);
  await conversations.refresh();
  const first = rowOf('c1');
  assert.equal(first.textContent, 'A wren');
  await conversations.refresh();
  assert.equal(rowOf('c1'), first);
  serve([{ ...ROW, title: 'A robin' }]);
  await conversations.refresh();
  assert.equal(rowOf('c1').textContent, 'A robin');
});

test('a chat has one row, which leads to the branch that was active or visited last', async () => {
  const chat = Object.assign(new Emitter(), { id: null, chatId: null });
  const conversations = new Conversations(chat, { failed: assert.fail });
  const visit = (id) => {
    Object.assign(chat, { id, chatId: 'c1', conversation: { ...ROW, conversation_id: id } });
    chat.emit('shown', {});
  };
  serve([{ ...ROW, conversation_id: 'c2' }]);
  await conversations.refresh();
  assert.deepEqual(conversations.listLoaded(), [{ id: 'c2', title: 'A wren' }]);
  visit('c1');
  assert.deepEqual(conversations.listLoaded(), [{ id: 'c1', title: 'A wren' }]);
  assert.equal(rowOf('c1').getAttribute('aria-current'), 'page');
  serve([{ ...ROW, conversation_id: 'c3' }]);
  await conversations.refresh();
  assert.deepEqual(conversations.listLoaded(), [{ id: 'c3', title: 'A wren' }]);
  assert.equal(rowOf('c3').getAttribute('aria-current'), 'page');
  conversations.hide(conversations.chatOf('c1'));
  assert.equal(rowOf('c3'), null);
});
