/** Buttons that put text on the clipboard and say so. */

import { el, icon } from './element.js';
import { t } from './texts.js';

const SAID_FOR_MS = 1600;

export function copyButton(readText, label) {
  const word = el('span', { class: 'visually-hidden', role: 'status' });
  const button = el('button', { type: 'button', class: 'quiet', title: label, 'aria-label': label }, icon('copy'));
  button.addEventListener('click', async () => {
    const copied = await copy(readText());
    word.textContent = t(copied ? 'copy.done' : 'copy.failed');
    button.replaceChildren(icon(copied ? 'check' : 'close'));
    setTimeout(() => {
      word.textContent = '';
      button.replaceChildren(icon('copy'));
    }, SAID_FOR_MS);
  });
  return el('span', { class: 'copying' }, button, word);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text); // plain HTTP on another machine has no clipboard API
  }
}

function copyBySelection(text) {
  const area = el('textarea', { class: 'visually-hidden' });
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
