/** The list of conversations: pinned ones first, then newest first, in groups. */

import { listConversations } from '../api/chat.js';
import { byId, el } from '../page/element.js';
import { t } from '../text/texts.js';
import { groupRows } from './groups.js';
import { drawRow } from './row.js';

const MAX_PINNED = 100; // the most that the server gives at once

export class Conversations {
  #root = byId('conversations');
  #rows = new Map(); // the API's conversations by id; archived ones are known, and not shown
  #next = undefined; // the cursor of the next page; undefined before the first page is loaded
  #current = null;
  #hidden = new Set(); // ids of conversations that are being deleted
  #archive = null; // the dialog, once it was opened
  #on;

  /**
   * `on.failed(error)`: a request has failed. `on.remove(id)`: the reader wants to delete one.
   * `on.renamed(id, title)`: the reader has given one another title.
   */
  constructor(on) {
    this.#on = on;
    this.#root.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** Loads the newest page again. Rows that were loaded below it stay, as pinned ones do. */
  async refresh() {
    const isFirst = this.#next === undefined;
    const pinned = isFirst ? this.#load({ pinned: true, limit: MAX_PINNED }, () => {}) : null;
    await this.#load({}, (page) => {
      this.#forgetGone(page);
      if (this.#next === undefined) this.#next = page.next;
    });
    await pinned;
  }

  select(id) {
    this.#current = id;
    this.#draw();
  }

  /** The title, or how the conversation begins; null when its row is not loaded. */
  titleOf(id) {
    const row = this.#rows.get(id);
    return row?.title ?? row?.preview ?? null;
  }

  /** The rows that are loaded and shown, newest first, as {id, title}. */
  listLoaded() {
    return this.#sorted().map(({ conversation_id: id }) => ({ id, title: this.titleOf(id) ?? '' }));
  }

  hasTitle(id) {
    return Boolean(this.#rows.get(id)?.title);
  }

  /** `changes` is {title?, mode?, pinned?, archived?}. */
  update(id, changes) {
    const row = this.#rows.get(id);
    if (row) Object.assign(row, changes);
    this.#drawWithout(changes.archived ? id : null);
  }

  hide(id) {
    this.#hidden.add(id);
    this.#drawWithout(id);
  }

  unhide(id) {
    this.#hidden.delete(id);
    this.#draw();
  }

  remove(id) {
    this.#rows.delete(id);
    this.#draw();
  }

  #handleKey(event) {
    const id = event.target.dataset.conversation;
    if (event.key !== 'Delete' || !id) return;
    event.preventDefault();
    this.#on.remove(id);
  }

  #loadMore() {
    return this.#load({ before: this.#next }, (page) => {
      this.#next = page.next;
    });
  }

  async #load(query, setNext) {
    try {
      const page = await listConversations(query);
      this.#note(page.conversations);
      setNext(page);
      this.#draw();
    } catch (error) {
      this.#on.failed(error);
    }
  }

  #note(rows) {
    for (const row of rows) this.#rows.set(row.conversation_id, row);
  }

  // What the newest page should have and has not was deleted or archived elsewhere.
  #forgetGone({ conversations: rows, next }) {
    const ids = new Set(rows.map((row) => row.conversation_id));
    const last = next ? rows.at(-1).updated_at : '';
    for (const [id, row] of this.#rows) {
      if (!ids.has(id) && !row.archived && row.updated_at > last) this.#rows.delete(id);
    }
  }

  // When the row that goes has the focus, the next row gets it.
  #drawWithout(id) {
    const link = byId(`conversation-${id}`);
    const links = [...this.#root.querySelectorAll('.conversation')];
    const next = links[links.indexOf(link) + 1] ?? links.at(-2);
    const hadFocus = link?.parentElement.contains(document.activeElement);
    this.#draw();
    if (hadFocus) byId(next?.id)?.focus();
  }

  // Rows are replaced, so the focus is moved to the same place in the new row.
  #draw() {
    const focusedId = this.#root.contains(document.activeElement) && document.activeElement.id;
    const rows = this.#sorted();
    const groups = groupRows(rows).map(([name, members]) => this.#drawGroup(name, members));
    const empty = rows.length ? null : el('p', { class: 'list-empty' }, t('list.empty'));
    this.#root.replaceChildren(...[...groups, empty, this.#drawMore(), this.#drawArchive()].filter(Boolean));
    if (focusedId) byId(focusedId)?.focus();
  }

  #sorted() {
    const isShown = (row) => !row.archived && !this.#hidden.has(row.conversation_id);
    const shown = [...this.#rows.values()].filter(isShown);
    return shown.sort((a, b) => b.updated_at.localeCompare(a.updated_at));
  }

  #drawGroup(name, rows) {
    const drawn = rows.map(({ conversation_id: id }) => drawRow(
      { id, title: this.#nameOf(id), isCurrent: id === this.#current },
      (button) => this.#openMenu(button, id).catch(this.#on.failed),
    ));
    return el('section', {}, el('h2', { class: 'day' }, name), el('ul', {}, ...drawn));
  }

  #nameOf(id) {
    return this.titleOf(id) || t('list.untitled');
  }

  async #openMenu(button, id) {
    const { openRowMenu } = await import('./menu/row_menu.js');
    const row = { id, title: this.#nameOf(id), pinned: this.#rows.get(id).pinned };
    openRowMenu(button, row, this.#actions);
  }

  async #openArchive() {
    const { ArchiveDialog } = await import('./archive_dialog.js');
    this.#archive ??= new ArchiveDialog(this.#actions);
    this.#archive.open();
  }

  get #actions() {
    return {
      ...this.#on,
      loaded: (rows) => this.#note(rows),
      changed: (id, changes) => {
        this.update(id, changes);
        if ('title' in changes) this.#on.renamed(id, this.titleOf(id));
      },
    };
  }

  #drawMore() {
    if (!this.#next) return null;
    const onclick = () => this.#loadMore();
    return el('button', { type: 'button', class: 'more', id: 'more-conversations', onclick }, t('list.more'));
  }

  #drawArchive() {
    const onclick = () => this.#openArchive().catch(this.#on.failed);
    return el('button', { type: 'button', class: 'more', id: 'archive-open', 'aria-haspopup': 'dialog', onclick }, t('archive.title'));
  }
}
