/** What is in a folder is asked for once, whichever comes first: the folders or the open chat. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { Folders } = await import('../../../web/static/js/list/folders/folders.js');
const SEA = { name: 'Sea', count: 1 };

/** Folders of which no page comes before `answer()`, and the names that were asked for. */
function makeFolders(revealed) {
  const names = [];
  const answers = [];
  const load = ({ project: folder }, take) => new Promise((resolve) => {
    names.push(folder);
    answers.push(() => {
      take({ next_cursor: null });
      resolve();
    });
  });
  const answer = () => Promise.all(answers.splice(0).map((each) => each()));
  return { folders: new Folders(revealed, { load, draw: () => {} }), names, answer };
}

test('the open chat is known before the folders', async () => {
  const { folders, names, answer } = makeFolders('Sea');
  const shown = folders.show([SEA]);
  folders.reveal('Sea');
  await answer();
  await shown;
  folders.reveal('Sea');
  assert.deepEqual(names, ['Sea']);
});

test('the open chat is known between the creation of the folders and their names', async () => {
  const { folders, names, answer } = makeFolders(null);
  folders.reveal('Sea');
  const shown = folders.show([SEA]);
  await answer();
  await shown;
  assert.deepEqual(names, ['Sea']);
});

test('the open chat is known after the folders', async () => {
  const { folders, names, answer } = makeFolders(null);
  await folders.show([SEA]);
  const revealed = folders.reveal('Sea');
  await answer();
  await revealed;
  assert.deepEqual(names, ['Sea']);
});

test('folders that are shown again are read again', async () => {
  const { folders, names, answer } = makeFolders('Sea');
  for (const time of [1, 2]) {
    const shown = folders.show([SEA]);
    await answer();
    await shown;
    assert.equal(names.length, time);
  }
});
