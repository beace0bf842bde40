/** Previews show words, not Markdown. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { withoutMarks } from '../../../web/static/js/text/words.js';

const PREVIEWS = [
  ['**Bold** and `code`, ~~gone~~', 'Bold and code, gone'],
  ['## Heading\n# Next', 'Heading\nNext'],
  ['see [the map](https://map.example/x) there', 'see the map there'],
  ['2 ** 3 and #5', '2 ** 3 and #5'],
  ['snake_case *star*', 'snake_case *star*'],
];

for (const [markdown, words] of PREVIEWS) {
  test(`“${words}” is what is read`, () => assert.equal(withoutMarks(markdown), words));
}
