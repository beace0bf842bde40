/** Tells a screen reader what happens, block by block; token by token nobody could follow. */

import { byId, el } from './element.js';

const KEPT_LINES = 30;

export function announce(text) {
  if (!text) return;
  const log = byId('announcer');
  log.append(el('p', {}, text));
  while (log.children.length > KEPT_LINES) log.firstChild.remove();
}
