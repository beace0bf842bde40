/** The facts in short: which of them, in which order, and how many words. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { chooseSentences } = await import('../../../web/static/js/panel/profile.js');

function fact(id, category, [key, value], importance = 0.5) {
  return { fact_id: id, category, key, value, importance };
}

test('who somebody is comes first, and each sentence has its fact', () => {
  const chosen = chooseSentences([fact(1, 'preference', ['tea', 'green']), fact(2, 'identity', ['home_city', 'Bergen'])]);
  assert.deepEqual(chosen.map(({ id }) => id), [2, 1]);
  assert.match(chosen[0].text, /Bergen.*\.$/u);
});

test('it has at most 200 words, those of the most important facts', () => {
  const long = Array.from({ length: 30 }, () => 'word').join(' ');
  const facts = Array.from({ length: 20 }, (_, id) => fact(id, 'identity', [`note_${id}`, long], id / 20));
  const chosen = chooseSentences(facts);
  const words = chosen.map(({ text }) => text).join(' ').split(/\s+/u);
  assert.ok(words.length <= 200 && words.length > 150);
  assert.equal(chosen[0].id, 19);
});

test('without facts there is none', () => {
  assert.deepEqual(chooseSentences([]), []);
});
