/** What the list has besides rows: the heading of the projects, and the buttons below all rows. */

import { el, iconButton } from '../page/element.js';
import { t } from '../text/texts.js';

/** `onclick` begins a new project. */
export function drawProjectsHead(onclick) {
  return el('div', { class: 'row is-head' }, el('h2', { class: 'day' }, t('projects.title')),
    iconButton('plus', t('projects.new'), { class: 'quiet row-more', id: 'new-project', 'aria-haspopup': 'dialog', onclick }));
}

export function drawMore(onclick) {
  return el('button', { type: 'button', class: 'more', id: 'more-conversations', onclick }, t('list.more'));
}

export function drawArchive(onclick) {
  return el('button', { type: 'button', class: 'more', id: 'archive-open', 'aria-haspopup': 'dialog', onclick }, t('archive.title'));
}
