/** A button that copies text to the clipboard. */

import { t } from '../text/texts.js';
import { el, icon, iconButton } from './element.js';

const RESULT_SHOWN_MS = 1600;

export function copyButton(readText, label) {
  const status = el('span', { class: 'visually-hidden', role: 'status' });
  const button = iconButton('copy', label, { class: 'quiet' });
  button.addEventListener('click', async () => {
    const isCopied = await copyText(readText());
    status.textContent = t(isCopied ? 'copy.done' : 'copy.failed');
    button.replaceChildren(icon(isCopied ? 'check' : 'close'));
    setTimeout(() => {
      status.textContent = '';
      button.replaceChildren(icon('copy'));
    }, RESULT_SHOWN_MS);
  });
  return el('span', { class: 'copying' }, button, status);
}

/** Resolves to whether it could be copied. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text); // there is no clipboard API over plain HTTP
  }
}

function copyBySelection(text) {
  const area = el('textarea', { class: 'visually-hidden' });
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
