/**
 * The archived conversations, in a dialog of their own.
 *
 * This module is loaded when the dialog is opened for the first time.
 */

import { changeConversation, listConversations } from '../api/chat.js';
import { runAction } from '../page/action.js';
import { addressOf } from '../page/address.js';
import { closeByBackdrop } from '../page/dialogs.js';
import { el, iconButton } from '../page/element.js';
import { announce } from '../page/notices.js';
import { t } from '../text/texts.js';

export class ArchiveDialog {
  #list = el('ul', { class: 'archived' });
  #more = el('button', { type: 'button', class: 'more', hidden: true, onclick: () => this.#load() }, t('list.more'));
  #empty = el('p', { class: 'about', hidden: true }, t('archive.empty'));
  #frame = el('div', {}, this.#list, this.#empty, this.#more);
  #dialog = this.#createDialog();
  #next = null; // the cursor of the next page
  #on;

  /**
   * `on.loaded(rows)`: the API's conversations were read. `on.changed(id, changes)`: the server has
   * changed one. `on.remove(id)`: the reader wants to delete one.
   */
  constructor(on) {
    this.#on = on;
    document.body.append(this.#dialog);
  }

  open() {
    this.#list.replaceChildren();
    this.#next = null;
    this.#dialog.showModal();
    this.#load();
  }

  #createDialog() {
    const close = () => dialog.close();
    const dialog = el('dialog', { class: 'dialog', id: 'archive', 'aria-labelledby': 'archive-title' },
      el('div', { class: 'dialog-body' },
        el('div', { class: 'dialog-head' }, el('h2', { id: 'archive-title' }, t('archive.title')),
          iconButton('close', t('dialog.close'), { class: 'icon-button', onclick: close })),
        el('p', { class: 'about' }, t('archive.about')), this.#frame));
    closeByBackdrop(dialog);
    // A link inside leads to a conversation, which stands behind the dialog.
    dialog.addEventListener('click', ({ target }) => {
      if (target.closest('a')) close();
    });
    return dialog;
  }

  #load() {
    return runAction(this.#frame, async () => {
      const page = await listConversations({ archived: true, cursor: this.#next });
      this.#on.loaded(page.conversations);
      this.#list.append(...page.conversations.map((row) => this.#drawRow(row)));
      this.#next = page.next_cursor;
      this.#showRest();
    });
  }

  #showRest() {
    this.#more.hidden = !this.#next;
    this.#empty.hidden = this.#list.children.length > 0;
  }

  // The buttons of all rows look the same, so for screen readers their labels name the chat.
  #drawRow({ conversation_id: id, title, preview }) {
    const name = title || preview || t('list.untitled');
    const remove = () => {
      this.#dialog.close();
      this.#on.remove(id);
    };
    const row = el('li', { class: 'archived-row' },
      el('a', { class: 'archived-link', dir: 'auto', href: addressOf(id), 'data-conversation': id }, name),
      el('button', {
        type: 'button', class: 'action', 'aria-label': t('archive.bring_back_of', { title: name }),
        onclick: () => this.#bringBack(id, name, row),
      }, t('archive.bring_back')),
      iconButton('delete', t('archive.delete_of', { title: name }), { class: 'quiet', onclick: remove }));
    return row;
  }

  async #bringBack(id, name, row) {
    const changes = { archived: false };
    if (!(await runAction(row, () => changeConversation(id, changes)))) return;
    this.#on.changed(id, changes);
    announce(t('archive.brought_back', { title: name }));
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    (next?.querySelector('button') ?? this.#dialog.querySelector('.icon-button')).focus();
    this.#showRest();
  }
}
