/** The list of conversations: pinned ones first, then folders, then the others, newest first, in groups. */

import { listConversations } from '../api/chat.js';
import { listFolders } from '../api/folders.js';
import { byId, el } from '../page/element.js';
import { Emitter } from '../page/emitter.js';
import { t } from '../text/texts.js';
import { groupRows } from './groups.js';
import { followChat } from './open_conversation.js';
import { drawRow } from './row.js';

const MAX_PINNED = 100; // the most that the server gives at once

export class Conversations extends Emitter {
  #root = byId('conversations');
  #rows = new Map(); // the API's conversations by id; archived ones are known, and not shown
  #next = undefined; // the cursor of the next page; undefined before the first page is loaded
  #current = null;
  #folder = null; // the name of the open conversation's folder
  #folders = null; // those that the reader has, once there was one
  #requestCount = 0; // requests for lists so far
  #newestAnswers = new Map(); // the number of the newest request that was answered, by what it asks for
  #hidden = new Set(); // ids of conversations that are being deleted
  #archive = null; // the dialog, once it was opened
  #chat;
  #on;

  /**
   * `on.failed(error)`: a request has failed. `on.remove(id)`: the reader wants to delete one.
   * `on.begin(folder)`: the reader wants a new one in a folder. A `listed` event comes after the list was
   * read again.
   */
  constructor(chat, on) {
    super();
    this.#chat = chat;
    this.#on = on;
    followChat(chat, this);
    this.#root.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** Loads the newest page again. Rows that were loaded below it stay, as pinned ones do. */
  async refresh() {
    const folders = this.#readFolders();
    if (this.#next !== undefined) await folders; // what was in one that is gone is forgotten first
    const pinned = this.#next === undefined || this.#hasFolders ? this.#load({ pinned: true, limit: MAX_PINNED }, () => {}) : null;
    await this.#load({ project: '' }, (page) => {
      if (this.#next === undefined) this.#next = page.next_cursor;
    });
    await Promise.all([pinned, folders]);
    this.emit('listed');
  }

  /** `conversation` is the API's, if it is known. Its folder is opened, unless the reader has closed it. */
  select(id, conversation) {
    const folder = (conversation ?? this.#rows.get(id))?.project ?? null;
    const isOther = id !== this.#current || folder !== this.#folder;
    this.#current = id;
    this.#folder = folder;
    if (isOther) this.#folders?.reveal(folder);
    this.#draw();
  }

  /** The title, or how the conversation begins; null when its row is not loaded. */
  titleOf(id) {
    const row = this.#rows.get(id);
    return row?.title ?? row?.preview ?? null;
  }

  /** What the page calls it. */
  nameOf(id) {
    return this.titleOf(id) || t('list.untitled');
  }

  /** Whether the reader has none. Unknown until the first page is loaded: then false. */
  get isEmpty() {
    return this.#next !== undefined && !this.#sorted().length && !this.#hasFolders;
  }

  /** The rows that are loaded and shown, newest first, as {id, title}. */
  listLoaded() {
    return this.#sorted().map(({ conversation_id: id }) => ({ id, title: this.titleOf(id) ?? '' }));
  }

  hasTitle(id) {
    return Boolean(this.#rows.get(id)?.title);
  }

  /** `changes` is {title?, mode?, pinned?, archived?, project?}. */
  update(id, changes) {
    const row = this.#rows.get(id);
    if (row) Object.assign(row, changes);
    if (id === this.#current && 'project' in changes) this.select(id, changes);
    this.#drawWithout(id);
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
    return this.#load({ project: '', cursor: this.#next }, (page) => {
      this.#next = page.next_cursor;
    });
  }

  async #load(query, setNext) {
    try {
      const page = await this.#ask(JSON.stringify(query), () => listConversations(query));
      if (!page) return;
      this.#note(page.conversations);
      if ('project' in query && !query.cursor) this.#forgetGone(page, query.project || null);
      setNext(page);
      this.#draw();
    } catch (error) {
      this.#on.failed(error);
    }
  }

  // Null for an answer that comes after that of a newer request for the same.
  async #ask(what, request) {
    this.#requestCount += 1;
    const number = this.#requestCount;
    const answer = await request();
    if (number < (this.#newestAnswers.get(what) ?? 0)) return null;
    this.#newestAnswers.set(what, number);
    return answer;
  }

  #note(rows) {
    for (const row of rows) this.#rows.set(row.conversation_id, row);
  }

  // Without them the list is shown all the same.
  async #readFolders() {
    try {
      const answer = await this.#ask('folders', listFolders);
      if (!answer) return;
      const { projects: folders } = answer;
      if (folders.length && !this.#folders) await this.#createFolders();
      if (this.#folders?.hasLost(folders)) this.#startOver(folders);
      await this.#folders?.show(folders);
      this.#draw();
    } catch (error) {
      this.#on.failed(error);
    }
  }

  async #createFolders() {
    const { Folders } = await import('./folders/folders.js');
    this.#folders ??= new Folders(this.#folder, {
      load: (query, take) => this.#load(query, take),
      draw: () => this.#draw(),
      drawRows: (rows) => this.#drawRows(rows),
      act: {
        begin: this.#on.begin,
        failed: this.#on.failed,
        deleted: () => this.refresh(),
        renamed: (before, name) => {
          this.#folders.rename(before, name);
          return this.refresh();
        },
      },
    });
  }

  get #hasFolders() {
    return Boolean(this.#folders && !this.#folders.isEmpty);
  }

  // What was in a folder that is gone may belong on any page of the list.
  #startOver(folders) {
    const names = new Set(folders.map(({ name }) => name));
    for (const [id, row] of this.#rows) if (row.project && !names.has(row.project)) this.#rows.delete(id);
    this.#next = undefined;
  }

  // What the newest page should have and has not was deleted, archived or moved elsewhere.
  #forgetGone({ conversations: rows, next_cursor: cursor }, folder) {
    const ids = new Set(rows.map((row) => row.conversation_id));
    const last = cursor ? rows.at(-1).updated_at : '';
    for (const [id, row] of this.#rows) {
      const isMissing = row.project === folder && !ids.has(id) && !row.archived;
      if (isMissing && row.updated_at > last) this.#rows.delete(id);
    }
  }

  // When the row that goes has the focus, the next row gets it.
  #drawWithout(id) {
    const link = byId(`conversation-${id}`);
    const links = [...this.#root.querySelectorAll('.conversation')];
    const next = links[links.indexOf(link) + 1] ?? links.at(-2);
    const hadFocus = link?.parentElement.contains(document.activeElement);
    this.#draw();
    if (hadFocus && !byId(link.id)) byId(next?.id)?.focus();
  }

  // Rows are replaced, so the focus is moved to the same place in the new row. Where nothing has changed
  // they stay: a row that is replaced while it is pressed hears of no click.
  #draw() {
    const focusedId = this.#root.contains(document.activeElement) && document.activeElement.id;
    const rows = this.#sorted();
    const groups = groupRows(rows.filter((row) => row.pinned || !row.project)).map(([name, members]) => this.#drawGroup(name, members));
    const pinnedCount = rows.some((row) => row.pinned) ? 1 : 0;
    const folders = this.#drawFolders(rows);
    if (folders.length) groups.splice(pinnedCount, 0, el('h2', { class: 'day' }, t('folders.title')), ...folders);
    const empty = groups.length ? null : el('p', { class: 'list-empty' }, t('list.empty'));
    const drawn = [...groups, empty, this.#drawMore(), this.#drawArchive()].filter(Boolean);
    const { children } = this.#root;
    if (drawn.length === children.length && drawn.every((node, index) => node.isEqualNode(children[index]))) return;
    this.#root.replaceChildren(...drawn);
    if (focusedId) byId(focusedId)?.focus();
  }

  #sorted() {
    const isShown = (row) => !row.archived && !this.#hidden.has(row.conversation_id);
    const shown = [...this.#rows.values()].filter(isShown);
    return shown.sort((a, b) => b.updated_at.localeCompare(a.updated_at));
  }

  #drawGroup(name, rows) {
    return el('section', {}, el('h2', { class: 'day' }, name), el('ul', {}, ...this.#drawRows(rows)));
  }

  #drawFolders(rows) {
    // The server counts them, and they are not shown there.
    const uncounted = [...this.#rows.values()].filter(
      (row) => !row.archived && (row.pinned || this.#hidden.has(row.conversation_id)),
    );
    return this.#folders?.draw(
      rows.filter((row) => row.project && !row.pinned),
      (name) => uncounted.filter((row) => row.project === name).length,
    ) ?? [];
  }

  #drawRows(rows) {
    return rows.map(({ conversation_id: id }) => drawRow(
      { id, title: this.nameOf(id), isCurrent: id === this.#current },
      (button) => this.#openMenu(button, id).catch(this.#on.failed),
    ));
  }

  async #openMenu(button, id) {
    const { openRowMenu } = await import('./menu/row_menu.js');
    const { pinned, project: folder } = this.#rows.get(id);
    const row = { id, title: this.nameOf(id), pinned, folder };
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
        const shown = 'title' in changes ? { title: this.titleOf(id) } : changes;
        if (id === this.#chat.id) this.#chat.change(shown);
        return 'project' in changes ? this.refresh() : null;
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
