/**
 * Formulas for marked: `$…$`, `\(…\)`, and on lines of their own `$$…$$`, `\[…\]`. They are shown
 * as they were written, delimiters and all: what only looks like a formula loses nothing.
 */

import { escape } from './escaping.js';

// As Pandoc has it: no space inside the dollars, no digit behind, so "$5 or $10" is money.
const INLINE = /^(?:\$\$[^$]+?\$\$|\\\[[^]+?\\\]|\\\([^]+?\\\)|\$(?![\s$])(?:\\.|[^$\\\n])*?(?<![\s\\])\$(?!\d))/;
const BLOCK = /^(?:\$\$[^$]+?\$\$|\\\[[^]+?\\\])[ \t]*(?:\n|$)/;

export const math = [
  {
    name: 'blockMath',
    level: 'block',
    start: (text) => text.match(/^(?:\$\$|\\\[)/m)?.index,
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

function tokenOf(type, pattern, source) {
  const raw = pattern.exec(source)?.[0];
  return raw && { type, raw, text: escape(raw.trim()) };
}
