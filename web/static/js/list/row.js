/** One row of the list: a link to a conversation, and the button of its menu. */

import { addressOf } from '../page/address.js';
import { byId, el, iconButton } from '../page/element.js';
import { t } from '../text/texts.js';

/** `openMenu(button)` is called when the reader wants the row's menu. */
export function drawRow({ id, title, isCurrent }, openMenu) {
  const isOpen = byId('row-menu')?.dataset.opener === `more-${id}`; // the list is drawn anew beneath it
  return el('li', { class: 'row' },
    el('a', {
      class: 'conversation',
      dir: 'auto',
      id: `conversation-${id}`,
      href: addressOf(id),
      'data-conversation': id,
      'aria-current': isCurrent ? 'page' : null,
    }, title),
    iconButton('more', t('list.more_about', { title }), {
      class: 'quiet row-more',
      id: `more-${id}`,
      'aria-haspopup': 'menu',
      'aria-expanded': `${isOpen}`,
      onclick: ({ currentTarget }) => openMenu(currentTarget),
    }));
}
