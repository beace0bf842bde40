/**
 * Formulas for marked: `$…$`, `\(…\)`, and on lines of their own `$$…$$`, `\[…\]`. They are shown
 * as they were written, delimiters and all: what only looks like a formula loses nothing.
 */

import { escape } from './escaping.js';

// As Pandoc has it: no space inside the dollars, no digit behind, so "$5 or $10" is money. Bounded, or
// every sign that begins a formula would have all that follows read for one that ends it.
const INLINE = /^(?:\$\$[^$]{1,2000}?\$\$|\\\[[^]{1,2000}?\\\]|\\\([^]{1,2000}?\\\)|\$(?![\s$])(?:\\.|[^$\\\n]){0,2000}?(?<![\s\\])\$(?!\d))/;
const BLOCK = /^(?:\$\$[^$]{1,2000}?\$\$|\\\[[^]{1,2000}?\\\])[ \t]*(?:\n|$)/;
const BLOCK_BEGINS = /\n(?=\$\$|\\\[)/g;
const MOST_IN_BLOCK = 2_010; // a bit more than `BLOCK` takes
const MOST_LOOKED_AT = 10; // beginnings without an end, in one paragraph
const PARAGRAPH_ENDS = /\n[ \t]*\n/;

export const math = [
  {
    name: 'blockMath',
    level: 'block',
    start: nextBlock,
    tokenizer: (text) => tokenOf('blockMath', BLOCK, text),
    renderer: ({ text }) => `<p><code class="math">${text}</code></p>`,
  },
  {
    name: 'inlineMath',
    level: 'inline',
    start: (text) => text.match(/\$|\\[([]/)?.index,
    tokenizer: (text) => tokenOf('inlineMath', INLINE, text),
    renderer: ({ text }) => `<code class="math">${text}</code>`,
  },
];

/** Where the paragraph is ended by a formula. */
function nextBlock(text) {
  const end = text.search(PARAGRAPH_ENDS);
  const paragraph = end < 0 ? text : text.slice(0, end);
  const begins = paragraph.matchAll(BLOCK_BEGINS);
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += 1) {
    const index = begins.next().value?.index;
    if (index === undefined) return undefined;
    if (BLOCK.test(text.slice(index + 1, index + 1 + MOST_IN_BLOCK))) return index + 1;
  }
  return undefined;
}

function tokenOf(type, pattern, source) {
  const raw = pattern.exec(source)?.[0];
  return raw && { type, raw, text: escape(raw.trim()) };
}
