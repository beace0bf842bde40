/** The list of conversations: pinned ones first, then folders, then the others, newest first, in groups. */

import { listConversations } from '../api/chat.js';
import { listFolders } from '../api/folders.js';
import { byId, el } from '../page/element.js';
import { Emitter } from '../page/emitter.js';
import { t } from '../text/texts.js';
import { groupRows } from './groups.js';
import { followChat } from './open_conversation.js';
import { drawRow } from './row.js';
import { Rows } from './rows.js';

const MAX_PINNED = 100; // the most that the server gives at once

export class Conversations extends Emitter {
  #root = byId('conversations');
  #rows = new Rows();
  #next = undefined; // the cursor of the next page; undefined before the first page is loaded
  #current = null; // the id of the open chat
  #folder = null; // the name of the open conversation's folder
  #folders = null; // those that the reader has, once there was one
  #requestCount = 0; // requests for lists so far
  #newestAnswers = new Map(); // the number of the newest request that was answered, by what it asks for
  #hidden = new Set(); // ids of chats that are being deleted
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
    await this.#load({ folder: '' }, (page) => {
      if (this.#next === undefined) this.#next = page.next_cursor;
    });
    await Promise.all([pinned, folders]);
    this.emit('listed');
  }

  /** `conversation` is the API's, if it is known. Its folder is opened, unless the reader has closed it. */
  select(id, conversation) {
    const folder = (conversation ?? this.#rows.find(id))?.folder ?? null;
    const chatId = this.chatOf(id);
    const isOther = chatId !== this.#current || folder !== this.#folder;
    this.#current = chatId;
    if (id) this.#rows.noteVisit(chatId, id);
    this.#folder = folder;
    if (isOther) this.#folders?.reveal(folder);
    this.#draw();
  }

  /** The id of the chat that a conversation is a branch of, as far as the page knows it. */
  chatOf(id) {
    return (id === this.#chat.id ? this.#chat.chatId : this.#rows.find(id)?.chat_id) ?? id;
  }

  /** The id of the branch to which a chat's row leads. */
  branchOf(chatId) {
    return this.#rows.branchOf(chatId);
  }

  /** The title, or how the conversation begins; null when its row is not loaded. */
  titleOf(id) {
    const row = this.#rows.find(this.chatOf(id));
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
    return this.#sorted().map((row) => ({ id: this.#rows.branchOf(row.chat_id), title: row.title ?? row.preview }));
  }

  hasTitle(id) {
    return Boolean(this.#rows.find(this.chatOf(id))?.title);
  }

  /** `changes` is {title?, mode?, pinned?, archived?, folder?}. */
  update(id, changes) {
    const chatId = this.chatOf(id);
    const row = this.#rows.find(chatId);
    if (row) Object.assign(row, changes);
    if (chatId === this.#current && 'folder' in changes) this.select(this.#chat.id, changes);
    this.#drawWithout(chatId);
  }

  hide(chatId) {
    this.#hidden.add(chatId);
    this.#drawWithout(chatId);
  }

  unhide(chatId) {
    this.#hidden.delete(chatId);
    this.#draw();
  }

  remove(chatId) {
    this.#rows.remove(chatId);
    this.#draw();
  }

  #handleKey(event) {
    const id = event.target.dataset.conversation;
    if (event.key !== 'Delete' || !id) return;
    event.preventDefault();
    this.#on.remove(id);
  }

  #loadMore() {
    return this.#load({ folder: '', cursor: this.#next }, (page) => {
      this.#next = page.next_cursor;
    });
  }

  async #load(query, setNext) {
    try {
      const page = await this.#ask(JSON.stringify(query), () => listConversations(query));
      if (!page) return;
      this.#rows.note(page.conversations);
      if ('folder' in query && !query.cursor) this.#rows.forgetGone(page, query.folder || null);
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

  // Without them the list is shown all the same.
  async #readFolders() {
    try {
      const answer = await this.#ask('folders', listFolders);
      if (!answer) return;
      const { folders } = answer;
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
    for (const row of this.#rows.list()) if (row.folder && !names.has(row.folder)) this.#rows.remove(row.chat_id);
    this.#next = undefined;
  }

  // When the row that goes has the focus, the next row gets it.
  #drawWithout(chatId) {
    const link = byId(`conversation-${this.branchOf(chatId)}`);
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
    const groups = groupRows(rows.filter((row) => row.pinned || !row.folder)).map(([name, members]) => this.#drawGroup(name, members));
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
    const isShown = (row) => !row.archived && !this.#hidden.has(row.chat_id);
    const shown = this.#rows.list().filter(isShown);
    return shown.sort((a, b) => b.updated_at.localeCompare(a.updated_at));
  }

  #drawGroup(name, rows) {
    return el('section', {}, el('h2', { class: 'day' }, name), el('ul', {}, ...this.#drawRows(rows)));
  }

  #drawFolders(rows) {
    // The server counts them, and they are not shown there.
    const uncounted = this.#rows.list().filter(
      (row) => !row.archived && (row.pinned || this.#hidden.has(row.chat_id)),
    );
    return this.#folders?.draw(
      rows.filter((row) => row.folder && !row.pinned),
      (name) => uncounted.filter((row) => row.folder === name).length,
    ) ?? [];
  }

  #drawRows(rows) {
    return rows.map((row) => drawRow(
      { id: this.#rows.branchOf(row.chat_id), title: this.nameOf(row.chat_id), isCurrent: row.chat_id === this.#current },
      (button) => this.#openMenu(button, row).catch(this.#on.failed),
    ));
  }

  async #openMenu(button, { chat_id: chatId, pinned, folder }) {
    const { openRowMenu } = await import('./menu/row_menu.js');
    openRowMenu(button, { id: this.branchOf(chatId), title: this.nameOf(chatId), pinned, folder }, this.#actions);
  }

  async #openArchive() {
    const { ArchiveDialog } = await import('./archive_dialog.js');
    this.#archive ??= new ArchiveDialog(this.#actions);
    this.#archive.open();
  }

  get #actions() {
    return {
      ...this.#on,
      loaded: (rows) => this.#rows.note(rows),
      changed: (id, changes) => {
        this.update(id, changes);
        const shown = 'title' in changes ? { title: this.titleOf(id) } : changes;
        if (this.chatOf(id) === this.#chat.chatId) this.#chat.change(shown);
        return 'folder' in changes ? this.refresh() : null;
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
