/** Facts are said as sentences, and a corrected sentence gives the value back. */

import '../texts.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { askFact, capitalize, formatFact, readValue } from '../../../web/static/js/text/facts.js';

const HOME = { category: 'identity', key: 'home_city', value: 'Bergen' };
const FACTS = [
  [HOME, 'you live in Bergen'],
  [{ category: 'preference', key: 'food', value: 'likes figs' }, 'you like figs'],
  [{ category: 'preference', key: 'statement_1', value: 'I row.' }, 'I row.'],
  [{ category: 'constraint', key: 'allergy_cats', value: 'allergic to cats' }, 'you are allergic to cats'],
  [{ category: 'instruction', key: 'tone', value: 'always be brief' }, 'always be brief'],
  [{ category: 'identity', key: 'temporary_home_city', value: 'Rome', valid_until: '2020-05-08' },
    'where you are for now: Rome, until May 8, 2020'],
  [{ category: 'identity', key: 'temporary_employer', value: 'Bosch' }, 'for now: you work at Bosch'],
];

for (const [fact, sentence] of FACTS) {
  test(`a fact is said as “${sentence}”`, () => assert.equal(formatFact(fact), sentence));
}

test('a sentence that differs in the value alone gives the new value', () => {
  assert.equal(readValue(HOME, ' You live in Oslo '), 'Oslo');
  assert.equal(readValue(HOME, 'I have moved to Oslo'), null);
});

test('a sentence begins with a capital', () => {
  assert.equal(capitalize('you live'), 'You live');
  assert.equal(capitalize(''), '');
});

test('the question has the sentence in it', () => assert.match(askFact(HOME), /you live in Bergen/));
