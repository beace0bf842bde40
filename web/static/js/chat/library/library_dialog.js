/**
 * A dialog with what the reader has written for use in chats: personas, prompts.
 *
 * This folder is loaded when such a dialog is opened for the first time.
 */

import { createRefresh } from '../../page/action.js';
import { closeByBackdrop } from '../../page/dialogs.js';
import { el, iconButton } from '../../page/element.js';
import { t } from '../../text/texts.js';

export class LibraryDialog {
  element;
  #kind;
  #on;
  #list = el('ul', { class: 'tokens' });
  #none;
  #add;
  #overview;
  #load;
  #form;

  /**
   * `kind` begins the keys of its texts and is its id. `createForm({saved, cancelled})` makes the form,
   * which has `element` and `show(entry)`; null is a new entry.
   *
   * `on.list()` resolves to entries, {id, name, text} each. `on.remove(entry, row)` resolves to
   * whether it was deleted. `on.changed(removed)`: there are others by now, without the entry
   * `removed` if it is not null.
   */
  constructor(kind, createForm, on) {
    this.#kind = kind;
    this.#on = on;
    this.#none = el('p', { class: 'about', hidden: true }, t(`${kind}.none`));
    this.#add = el('button', { type: 'button', class: 'action is-main', onclick: () => this.edit(null) }, t(`${kind}.add`));
    this.#overview = el('div', {}, this.#list, this.#none, el('div', { class: 'dialog-foot' }, this.#add));
    this.#load = createRefresh(this.#overview, () => this.#read());
    this.#form = createForm({ saved: () => this.noteChange(), cancelled: () => this.#showList() });
    this.element = this.#create();
    document.body.append(this.element);
  }

  async open() {
    this.#showList();
    this.element.showModal();
    const isRead = await this.#load();
    const isWriting = !this.#form.element.hidden; // the reader has begun meanwhile
    if (isRead && !this.#list.children.length && !isWriting) this.edit(null);
  }

  edit(entry) {
    this.#overview.hidden = true;
    this.#form.element.hidden = false;
    this.#form.show(entry);
  }

  /** Shows what there is by now. */
  noteChange(removed = null) {
    this.#showList();
    this.#add.focus();
    this.#load();
    this.#on.changed(removed);
  }

  #create() {
    const kind = this.#kind;
    const close = () => dialog.close();
    this.#form.element.hidden = true;
    const dialog = el('dialog', { class: 'dialog', id: kind, 'aria-labelledby': `${kind}-title` },
      el('div', { class: 'dialog-body' },
        el('div', { class: 'dialog-head' }, el('h2', { id: `${kind}-title` }, t(`${kind}.title`)),
          iconButton('close', t('dialog.close'), { class: 'icon-button', onclick: close })),
        el('p', { class: 'about' }, t(`${kind}.about`)), this.#overview, this.#form.element));
    closeByBackdrop(dialog);
    return dialog;
  }

  async #read() {
    const entries = await this.#on.list();
    this.#list.replaceChildren(...entries.map((entry) => this.#drawRow(entry)));
    this.#none.hidden = entries.length > 0;
  }

  // The buttons of all rows look the same, so for screen readers they are described by the name.
  #drawRow(entry) {
    const id = `${this.#kind}-${entry.id}`;
    const button = (key, onclick) => el('button', {
      type: 'button', class: 'action', 'aria-describedby': id, onclick,
    }, t(key));
    const row = el('li', { class: 'token' },
      el('div', { class: 'token-head' }, el('p', {}, el('strong', { id, dir: 'auto' }, entry.name))),
      el('p', { class: 'about library-text', dir: 'auto' }, entry.text),
      el('div', { class: 'actions' },
        button('library.edit', () => this.edit(entry)),
        button('library.delete', async () => {
          if (await this.#on.remove(entry, row)) this.noteChange(entry);
        })));
    return row;
  }

  #showList() {
    this.#form.element.hidden = true;
    this.#overview.hidden = false;
  }
}
