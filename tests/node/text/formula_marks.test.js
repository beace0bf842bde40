/** A plain text is taken apart into its formulas and what stands between them. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { splitFormulas } from '../../../web/static/js/text/formula_marks.js';

test('code has no formulas, and a displayed one takes the line breaks around it', () => {
  const formula = (text) => ({ text, isFormula: true });
  const plain = (text) => ({ text, isFormula: false });
  assert.deepEqual(splitFormulas('`$a$` $b$\n$$c$$\n\\$d$ \\(e\\)'), [
    plain('`$a$` '), formula('$b$'), formula('\n$$c$$\n'), plain('\\$d$ '), formula('\\(e\\)'),
  ]);
});

const MARKS = [
  '$'.repeat(50_000), '$a '.repeat(30_000), '\\('.repeat(40_000),
  `${'`'.repeat(30_001)}$a$`, '`$a$``b'.repeat(9000),
];
const MOST_MS = 2_000; // much less than reading ahead from each sign would take

for (const text of MARKS) {
  test(`a message of ${text.slice(0, 6)} is read in no time`, () => {
    const before = process.threadCpuUsage();
    assert.equal(splitFormulas(text).map((part) => part.text).join(''), text);
    const { user, system } = process.threadCpuUsage(before);
    assert.ok((user + system) / 1000 < MOST_MS);
  });
}
