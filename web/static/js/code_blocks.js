/** Finished code blocks get a language label, a copy button and colours. */

import { copyButton } from './copying.js';
import { el } from './element.js';
import { t } from './texts.js';

const LANGUAGE = /\blanguage-([\w+#.-]+)/;

export function dressCode(root) {
  root.querySelectorAll('pre > code').forEach(dress);
}

function dress(code) {
  const language = LANGUAGE.exec(code.className)?.[1] ?? '';
  const label = language ? t('code.label_language', { language }) : t('code.label');
  const pre = code.parentElement;
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', label);
  const frame = el('div', { class: 'code-frame' });
  pre.replaceWith(frame);
  const bar = el('div', { class: 'code-bar' }, el('span', {}, language));
  bar.append(copyButton(() => code.textContent, t('copy.code')));
  frame.append(bar, pre);
  if (language) colour(code, language);
}

// 45 kB that most conversations never need, so it comes with the first block that does.
async function colour(code, language) {
  const { default: highlighter } = await import('../vendor/highlight.js');
  if (highlighter.getLanguage(language)) highlighter.highlightElement(code);
}
