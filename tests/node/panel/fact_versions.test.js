/** Where a fact comes from. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { drawOrigin } = await import('../../../web/static/js/panel/fact_versions.js');

const LEARNED = {
  stated: false, confidence: 0.9, source: { conversation_id: 'c1', sequence: 4 }, valid_from: '2020-05-03T12:00:00+00:00',
};

function read(fact) {
  return drawOrigin(fact).map((node) => node.textContent ?? node).join('');
}

test('only what is doubtful says so', () => {
  assert.equal(read({ ...LEARNED, confidence: 0.6 }), 'From a chat, May 3, 2020 Not sure.');
  assert.equal(read(LEARNED), 'From a chat, May 3, 2020');
});

test('a chat that was deleted and the own words of a reader are named', () => {
  assert.equal(read({ ...LEARNED, source: null }), 'From a chat that was deleted.');
  assert.equal(read({ ...LEARNED, source: null, stated: true }), 'You wrote this, May 3, 2020.');
});
