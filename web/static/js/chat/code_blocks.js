/** Gives finished code blocks a language label, a copy button and colours. */

import { copyButton } from '../page/copy_button.js';
import { el } from '../page/element.js';
import { t } from '../text/texts.js';

const LANGUAGE = /\blanguage-([\w+#.-]+)/;

export function decorateCode(root) {
  root.querySelectorAll('pre > code').forEach(decorate);
}

function decorate(code) {
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
  if (language) highlight(code, language);
}

// The highlighter has 45 kB and most conversations contain no code, so it is loaded on first use.
async function highlight(code, language) {
  const { default: highlighter } = await import('../../vendor/highlight.js');
  if (highlighter.getLanguage(language)) highlighter.highlightElement(code);
}
