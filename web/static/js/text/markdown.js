/**
 * Turns Markdown into safe DOM nodes. Three protections work independently: raw HTML is shown as
 * text, marked's output is sanitised against a short list, and the page's Content Security Policy
 * forbids inline scripts.
 */

import DOMPurify from '../../vendor/purify.js';
import { BoundedLexer } from './markdown_lexer.js';
import { marked } from './markdown_syntax.js';
import { t } from './texts.js';

const SAFE_LINK = /^(?:https?|mailto):/i;
const POLICY = {
  ALLOWED_TAGS: [
    'a', 'blockquote', 'br', 'code', 'del', 'em', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p',
    'pre', 'strong', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul',
  ],
  ALLOWED_ATTR: ['align', 'class', 'href', 'start', 'title'],
  ALLOWED_URI_REGEXP: SAFE_LINK,
  ADD_URI_SAFE_ATTR: ['align', 'start'], // otherwise their values would have to match SAFE_LINK
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/** The top-level blocks of a text. A block has changed when its `raw` has changed. */
export function splitBlocks(text) {
  const blocks = new BoundedLexer(marked.defaults).lex(text);
  return blocks.filter((block) => block.type !== 'space' && block.type !== 'def');
}

/** A sanitised DocumentFragment for one block of `splitBlocks`. */
export function renderBlock(block) {
  const fragment = DOMPurify.sanitize(marked.parser([block]), POLICY);
  fragment.querySelectorAll('a').forEach(openInNewTab);
  fragment.querySelectorAll('table').forEach(makeScrollable);
  // Code is written from left to right, and says nothing of the direction of the text around it.
  for (const code of fragment.querySelectorAll('code')) code.dir = 'ltr';
  return fragment;
}

// The policy removes unsafe addresses. A link without an address becomes plain text.
function openInNewTab(link) {
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
