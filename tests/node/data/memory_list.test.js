/** A list of another assistant's memory: what can be kept is offered, all else is named. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { drawPreview } from '../../../web/static/js/data/memory_list.js';

const HOME = {
  text: 'Lives in Oslo', state: 'new', category: 'identity', key: 'home_city', value: 'Oslo', replaces: null,
};
const REFUSED = { ...HOME, category: null, key: null, value: null };
const NOTHING = { entries: [], further_count: 0, left_out: [] };

function draw(preview, keep) {
  const place = document.createElement('div');
  place.append(...drawPreview({ ...NOTHING, ...preview }, keep));
  return place;
}

test('what is new is ticked, what would change something is not, and the ticked is kept', async () => {
  const keptFacts = [];
  const place = draw({
    entries: [
      HOME,
      { ...HOME, key: 'name', value: '<b>Ada</b>', state: 'replaces', replaces: 'Bob' },
      { ...HOME, key: 'statement_1', value: 'Ich spiele Cello', state: 'deleted' },
    ],
  }, (facts) => keptFacts.push(facts));
  const boxes = [...place.querySelectorAll('input')];
  assert.deepEqual(boxes.map((box) => box.checked), [true, false, false]);
  assert.deepEqual([...place.querySelectorAll('label')].map((label) => label.textContent), [
    'You live in Oslo',
    'Your name is <b>Ada</b> In place of “Bob”',
    'Ich spiele Cello You have deleted this before',
  ]);
  boxes[2].checked = true;
  place.querySelector('form').dispatchEvent(new Event('submit', { cancelable: true }));
  assert.deepEqual(keptFacts, [[
    { category: 'identity', key: 'home_city', value: 'Oslo' },
    { category: 'identity', key: 'statement_1', value: 'Ich spiele Cello' },
  ]]);
});

test('what is not offered is named with the reason', () => {
  const place = draw({
    entries: [{ ...HOME, state: 'known' }, { ...REFUSED, text: 'PIN 1234', state: 'secret' }],
    left_out: ['About you:'],
    further_count: 2,
  });
  assert.equal(place.querySelectorAll('input').length, 0);
  assert.deepEqual([...place.children].map((node) => node.textContent), [
    'There is nothing in it to keep.',
    '2 more lines are not shown. Paste them as a second list.',
    '3 lines not offeredLives in Oslo (known already)PIN 1234 (a secret, which is never kept)'
    + 'About you: (a heading, or talk around the list)',
  ]);
});
