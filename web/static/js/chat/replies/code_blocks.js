/** Gives code blocks a box with a language label and a copy button, and colours finished ones. */

import { copyButton } from '../../page/copy_button.js';
import { el } from '../../page/element.js';
import { t } from '../../text/texts.js';
import { keepSelection } from './kept_selection.js';

const LANGUAGE = /\blanguage-([\w+#.-]+)/;
const MAX_COLOURED_CHARS = 100_000; // the highlighter needs a second for a few of these

/** Puts each code block below `root` into a box. */
export function frameCode(root) {
  root.querySelectorAll('pre > code').forEach(frame);
}

/**
 * Changes the text of a code block that is still being written. What did not change stays in the
 * same text node, so that the reader's selection and scroll position stay, too.
 */
export function rewriteCode(root, text) {
  const code = root.querySelector('pre > code');
  const node = code.firstChild ?? code.appendChild(document.createTextNode(''));
  const old = node.data;
  const codeLength = old.replace(/\n$/, '').length; // each code block ends with a line break
  const prefixLength = text.startsWith(old.slice(0, codeLength)) ? codeLength : 0;
  node.replaceData(prefixLength, old.length - prefixLength, `${text.slice(prefixLength)}\n`);
}

/** Colours the code below `root`, once it is finished. */
export async function colourCode(root) {
  const blocks = [...root.querySelectorAll('pre > code[class*="language-"]')].filter(canBeColoured);
  if (!blocks.length) return;
  // The highlighter has 45 kB and most conversations contain no code, so it is loaded on first use.
  const { default: highlighter } = await import('../../../vendor/highlight.js');
  for (const code of blocks) {
    if (!highlighter.getLanguage(languageOf(code))) continue;
    keepSelection(code, () => highlighter.highlightElement(code));
  }
}

/** Draws the diagrams below `root`, once they are finished. Where that fails, their source stays. */
export async function drawDiagrams(root) {
  const codes = root.querySelectorAll('pre > code.language-mermaid');
  if (!codes.length) return;
  const { showDiagram } = await import('./diagrams/diagrams.js');
  codes.forEach(showDiagram);
}

function frame(code) {
  const language = languageOf(code);
  const label = language ? t('code.label_language', { language }) : t('code.label');
  const pre = code.parentElement;
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', label);
  const box = el('div', { class: 'code-frame', dir: 'ltr' });
  pre.replaceWith(box);
  const bar = el('div', { class: 'code-bar' }, el('span', {}, language));
  bar.append(copyButton(() => code.textContent, t('copy.code')));
  box.append(bar, pre);
}

function languageOf(code) {
  return LANGUAGE.exec(code.className)?.[1] ?? '';
}

function canBeColoured(code) {
  return code.textContent.length <= MAX_COLOURED_CHARS;
}
