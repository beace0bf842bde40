/** A query finds prompts by the beginning of their name first, then by words. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { findPrompts } from '../../../../../web/static/js/chat/composer/prompts/matching.js';

const PROMPTS = [
  { name: 'Mail in words', text: 'Write a mail.' },
  { name: 'A short mail', text: 'Be brief.' },
  { name: 'Mend a text', text: 'Correct it.' },
  { name: 'Plan', text: 'Plan a week, and mail it.' },
];

const QUERIES = [
  ['', ['Mail in words', 'A short mail', 'Mend a text', 'Plan']],
  ['MAIL', ['Mail in words', 'A short mail', 'Plan']],
  ['m', ['Mail in words', 'Mend a text', 'A short mail', 'Plan']],
  ['text mend', ['Mend a text']],
  ['mail week', ['Plan']],
  ['nothing', []],
];

for (const [query, names] of QUERIES) {
  test(`“${query}” finds ${names.length} prompts`, () => {
    assert.deepEqual(findPrompts(PROMPTS, query).map((prompt) => prompt.name), names);
  });
}
