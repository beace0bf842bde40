/** Each number has its own plural form in Arabic, with the digits that message numbers have. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { openTexts } from '../texts.js';

openTexts('ar');
const { formatNumber, tCount } = await import('../../../web/static/js/text/texts.js');
const { formatFact } = await import('../../../web/static/js/text/facts.js');

test('each number has its plural form', () => {
  assert.deepEqual([0, 1, 2, 3, 11, 100].map((count) => tCount('erase.facts', count)), [
    'لا معلومات', 'معلومة واحدة', 'معلومتان', '3 معلومات', '11 معلومة', '100 معلومة',
  ]);
});

test('words of another script stand in no Arabic sentence', () => {
  assert.equal(formatFact({ category: 'identity', key: 'dog_name', value: 'Rex' }), 'dog name: Rex');
  assert.match(formatFact({ category: 'identity', key: 'home_city', value: 'Oslo' }), /^تسكن .*Oslo$/);
});

test('digits are those of message numbers', () => assert.equal(formatNumber(12), '12'));
