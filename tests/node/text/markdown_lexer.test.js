/** Text that is nested or repeated without end is read all the same, with work in proportion to its length. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { splitBlocks } from '../../../web/static/js/text/markdown.js';
import { marked } from '../../../web/static/js/text/markdown_syntax.js';
import { drawMarkdown } from './markdown_drawing.js';

const ENDLESS = [
  `${'> '.repeat(2_000)}deep`,
  '_a_'.repeat(30_000),
  '*a **b '.repeat(8_000),
  '['.repeat(30_000),
  '![a]('.repeat(8_000),
  `${'`'.repeat(5_000)}a${'``'.repeat(9_000)}`,
  '<'.repeat(30_000),
  Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- deep`).join('\n'),
  `${'- '.repeat(2_000)}deep`,
  `${'1. > '.repeat(1_000)}deep`,
  'a@b.'.repeat(10_000),
  '| a '.repeat(5_000),
  '\\'.repeat(30_000),
  '$a'.repeat(20_000),
  '&amp'.repeat(20_000),
];

for (const text of ENDLESS) {
  test(`${JSON.stringify(text.slice(0, 6))} without end is drawn to its end`, () => {
    const lastWord = text.slice(-4).trim().replaceAll(/[_*]/g, '');
    const drawn = drawMarkdown(text).textContent.replace(/[_*\s]+$/, '');
    assert.ok(drawn.endsWith(lastWord));
  });
}

const PIECES = {
  dollars: ['', '$'],
  'pairs of dollars': ['', '$$'],
  'formulas without an end': ['', '\\[\n'],
  'formulas without an end, apart': ['', '\\[\n\n'],
  'formulas without an end, in a list': ['- ', '\\[\n'],
  formulas: ['', 'x\n$$a$$\n'],
  lines: ['', 'a\n'],
  'lines in one item': ['- ', 'a\n'],
  'lines in one quote': ['> ', 'a\n'],
  paragraphs: ['', 'a\n\n'],
  items: ['', '- a\n'],
  'items apart': ['', '- a\n\n'],
  quotes: ['', '> a\n'],
  'underlined headings': ['', 'a\n=\n'],
  rows: ['| a |\n|---|\n', '| a |\n'],
  fences: ['', '```\n'],
  "links' targets": ['', '[a]: x\n'],
  footnotes: ['', 'a[^1]\n\n[^1]: b\n'],
  tags: ['', '<b>\n'],
  'code by spaces': ['- ', '    a\n'],
};
// Work that grows with the square of the length takes 256 times as long for 16 times the text.
const SHORT = 12_500;
const TIMES = 16;
const MOST_TIMES = 90;
const NEGLIGIBLE_MS = 250; // of the longer text

/** The time of reading a text of this length once, on this thread's own clock. */
function measureMs([begin, piece], length, count = 1) {
  const text = begin + piece.repeat(length / piece.length);
  const before = process.threadCpuUsage();
  for (let times = 0; times < count; times += 1) {
    for (const block of splitBlocks(text)) marked.parser([block]);
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / count;
}

for (const [name, pieces] of Object.entries(PIECES)) {
  test(`${name} are read in proportion to their length`, () => {
    const longMs = measureMs(pieces, SHORT * TIMES);
    if (longMs > NEGLIGIBLE_MS) assert.ok(longMs / measureMs(pieces, SHORT, 2) < MOST_TIMES);
  });
}

test('a list beyond the bound keeps its items and numbers', () => {
  const items = Array.from({ length: 900 }, (_, number) => (
    `${number}. item ${number}\n\n      \`\`\`\n      code ${number}\n      \`\`\``));
  const lists = [...drawMarkdown(items.join('\n')).children];
  assert.ok(lists.length > 1);
  assert.deepEqual(new Set(lists.map((list) => list.tagName)), new Set(['OL']));
  let first = 0;
  for (const list of lists) {
    assert.equal(list.start, first);
    assert.equal(list.querySelectorAll('pre').length, list.children.length);
    first += list.children.length;
  }
  assert.equal(first, 900);
});
