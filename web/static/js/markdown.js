/**
 * Markdown to nodes, safely. Three locks, each enough by itself: raw HTML is shown as text, what
 * marked makes is sanitised against a short list, and the page's policy forbids inline scripts.
 */

import DOMPurify from '../vendor/purify.js';
import { Marked } from '../vendor/marked.js';
import { BoundedLexer } from './bounded_lexer.js';
import { escape } from './escaping.js';
import { math } from './math.js';
import { t } from './texts.js';

const HEADINGS_BELOW = 2; // the page's own headings are the first two levels
const SAFE_LINK = /^(?:https?|mailto):/i;
const POLICY = {
  ALLOWED_TAGS: [
    'a', 'blockquote', 'br', 'code', 'del', 'em', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p',
    'pre', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul',
  ],
  ALLOWED_ATTR: ['align', 'class', 'href', 'start', 'title'],
  ALLOWED_URI_REGEXP: SAFE_LINK,
  ADD_URI_SAFE_ATTR: ['align', 'start'], // or the pattern for links would be asked of them too
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

const marked = new Marked({ gfm: true, breaks: true });
marked.use({
  extensions: math,
  renderer: {
    html: ({ text }) => escape(text),
    // Images would be fetched from elsewhere, which tells that server who reads: a link instead.
    image: ({ href, text }) => `<a href="${escape(href)}">${escape(text || href)}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    heading({ tokens, depth }) {
      const level = Math.min(depth + HEADINGS_BELOW, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
  },
});

/** The text's top-level blocks; a block's `raw` tells whether it has changed. */
export function splitBlocks(text) {
  const blocks = new BoundedLexer(marked.defaults).lex(text);
  return blocks.filter((block) => block.type !== 'space' && block.type !== 'def');
}

/** A sanitised fragment for one block of `splitBlocks`. */
export function renderBlock(block) {
  const fragment = DOMPurify.sanitize(marked.parser([block]), POLICY);
  fragment.querySelectorAll('a').forEach(openElsewhere);
  fragment.querySelectorAll('table').forEach(makeScrollable);
  return fragment;
}

// A link that the policy took the address from is words only.
function openElsewhere(link) {
  if (!link.hasAttribute('href')) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
}

function makeScrollable(table) {
  const frame = document.createElement('div');
  frame.className = 'table-frame';
  frame.tabIndex = 0;
  frame.setAttribute('role', 'region');
  frame.setAttribute('aria-label', t('table.label'));
  table.replaceWith(frame);
  frame.append(table);
}
