/** Files that were not sent: each is named, opened and removed. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { drawFile } from '../../../web/static/js/data/waiting_files.js';

const FILE = { attachment_id: 'a/b', name: '<b>report</b>.pdf', bytes: 2048 };

test('a file is a link with its size, and its button removes it', async () => {
  const removed = [];
  const row = drawFile(FILE, async (file) => removed.push(file.name));
  assert.equal(row.querySelector('a').getAttribute('href'), '/api/v1/attachments/a%2Fb');
  assert.equal(row.textContent, '<b>report</b>.pdf 2.05 kB Remove');
  assert.equal(row.querySelector('button').getAttribute('aria-label'), 'Remove <b>report</b>.pdf');
  row.querySelector('button').click();
  await Promise.resolve();
  assert.deepEqual(removed, [FILE.name]);
});
