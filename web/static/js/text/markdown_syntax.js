/**
 * marked with the page's rules: GitHub's Markdown, formulas, footnotes, and raw HTML as plain text.
 *
 * Formulas are `$…$` and `\(…\)` within a line, `$$…$$`, `\[…\]` and code blocks of the language
 * `math` on lines of their own. Here a formula becomes its source, with its delimiters, in a
 * `code.math`; `formulas.js` draws it.
 */

import { Marked } from '../../vendor/marked.js';

export const MAX_FORMULA_CHARS = 2_010; // slightly more than the patterns can match

const HEADING_OFFSET = 2; // the page uses the first two levels itself
// As in Pandoc, no space may follow the first dollar or precede the last, and no digit may follow
// the last, so "$5 or $10" is money. A capital may not follow either ("$HOME/$USER"). The length is
// limited, because otherwise each opening sign would be searched for its end through the whole text.
const INLINE = /^(?:\$\$[^$]{1,2000}?\$\$|\\\[[^]{1,2000}?\\\]|\\\([^]{1,2000}?\\\)|\$(?![\s$])(?:\\.|[^$\\\n`]){0,2000}?(?<![\s\\])\$(?![\dA-Z_{]))/;
const MONEY = /^\$\d[\d.,]*[a-z]?\s(?:[^\\]*\s)?[a-z]{2,}\s/i; // "$5 or more in US$"
const INLINE_OPENING = /\$|\\[([]/;
const BLOCK = /^(?:\$\$[^$]{1,2000}?\$\$|\\\[[^]{1,2000}?\\\]| {0,3}(`{3,})math[ \t]*\n[^]{1,2000}?\n {0,3}\1)[ \t]*(?:\n|$)/;
const BLOCK_OPENING_OR_PARAGRAPH_END = /\n(?:(?=\$\$|\\\[)|[ \t]*\n)/g;
const MAX_OPENINGS = 10; // in one paragraph; further ones are not tried

const blockFormula = {
  name: 'blockFormula',
  level: 'block',
  start: findBlockFormula,
  tokenizer: (source) => formulaToken('blockFormula', BLOCK.exec(source)?.[0]),
  renderer: ({ text }) => `<p><code class="math">${escapeHtml(text)}</code></p>`,
};

const inlineFormula = {
  name: 'inlineFormula',
  level: 'inline',
  start: (source) => source.match(INLINE_OPENING)?.index,
  tokenizer: (source) => formulaToken('inlineFormula', readInlineFormula(source)),
  renderer: ({ text }) => `<code class="math">${escapeHtml(text)}</code>`,
};

const FOOTNOTE = /^\[\^([^\]\s]{1,50})\]/;
const FOOTNOTE_LINE = /^ {0,3}\[\^([^\]\s]{1,50})\]:[ \t]+([^\n]+)(?:\n|$)/;

// The number of a footnote, wherever it stands in the text. It is no link: each block is drawn alone.
const footnoteMark = {
  name: 'footnoteMark',
  level: 'inline',
  tokenizer: (source) => footnoteToken('footnoteMark', FOOTNOTE.exec(source)),
  renderer: ({ label }) => `<sup>${escapeHtml(label)}</sup>`,
};

const footnote = {
  name: 'footnote',
  level: 'block',
  tokenizer(source) {
    const token = footnoteToken('footnote', FOOTNOTE_LINE.exec(source));
    return token && { ...token, tokens: this.lexer.inline(token.text) };
  },
  renderer({ label, tokens }) {
    return `<p><sup>${escapeHtml(label)}</sup> ${this.parser.parseInline(tokens)}</p>`;
  },
};

const renderer = {
  html: ({ text }) => escapeHtml(text),
  // A link in place of the image: fetching an image would tell its server who reads it.
  image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
  checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  heading({ tokens, depth }) {
    const level = Math.min(depth + HEADING_OFFSET, 6);
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
  },
};

export const marked = new Marked({ gfm: true, breaks: true });
marked.use({ extensions: [blockFormula, inlineFormula, footnote, footnoteMark], renderer });

/** The formula that `source` begins with, with its delimiters. */
export function readInlineFormula(source) {
  const formula = INLINE.exec(source)?.[0];
  return formula && !MONEY.test(formula) ? formula : undefined;
}

/** The index of the first block formula in the paragraph that `source` begins with. */
function findBlockFormula(source) {
  let tryCount = 0;
  for (const { 0: sign, index } of source.matchAll(BLOCK_OPENING_OR_PARAGRAPH_END)) {
    const isParagraphEnd = sign !== '\n';
    if (isParagraphEnd || tryCount === MAX_OPENINGS) return undefined;
    if (BLOCK.test(source.slice(index + 1, index + 1 + MAX_FORMULA_CHARS))) return index + 1;
    tryCount += 1;
  }
  return undefined;
}

function formulaToken(type, raw) {
  return raw && { type, raw, text: raw.trim() };
}

function footnoteToken(type, match) {
  if (!match) return undefined;
  const [raw, label, text = ''] = match;
  return { type, raw, label, text };
}

function escapeHtml(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character]);
}
