/** What came of a test, in words. */

import { el } from '../../page/element.js';
import { t } from '../../text/texts.js';

const MOST_NAMES = 12;

/** The result is the API's; `choose(name)` is called with a model of the server's own list. */
export function describeTest({ outcome, took_ms: tookMs, detail, served }, choose) {
  const seconds = (tookMs / 1000).toFixed(1);
  const lines = [el('p', {}, el('strong', {}, t(`models.outcome.${outcome}`, { seconds })))];
  if (detail) lines.push(el('p', { class: 'about', dir: 'auto' }, t('models.said', { words: detail })));
  if (served?.length) {
    lines.push(el('p', { class: 'about' }, t('models.served_are')));
    lines.push(el('div', { class: 'actions' }, ...served.slice(0, MOST_NAMES).map((name) => el('button', {
      type: 'button', class: 'action', onclick: () => choose(name),
    }, name))));
  }
  return el('div', { class: outcome === 'works' ? 'is-good' : 'is-bad' }, ...lines);
}
