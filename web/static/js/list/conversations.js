/** The list of conversations: pinned ones first, then projects, then the others, newest first, in groups. */

import { listConversations } from '../api/chat.js';
import { listProjects } from '../api/projects.js';
import { byId, el } from '../page/element.js';
import { Emitter } from '../page/emitter.js';
import { t } from '../text/texts.js';
import { drawArchive, drawMore, drawProjectsHead } from './buttons.js';
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
  #project = null; // the name of the open conversation's project
  #projects = null; // those that the reader has, once there was one
  #requestCount = 0; // requests for lists so far
  #newestAnswers = new Map(); // the number of the newest request that was answered, by what it asks for
  #hidden = new Set(); // ids of chats that are being deleted
  #archive = null; // the dialog, once it was opened
  #chat;
  #on;

  /**
   * `on.failed(error)`: a request has failed. `on.remove(id)`: the reader wants to delete one.
   * `on.begin(project)`: the reader wants a new one in a project, `on.editProject(name)` its settings, or for
   * null a new project. A `listed` event comes after the list was read again, a `moved` event after a move.
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
    const projects = this.#readProjects();
    if (this.#next !== undefined) await projects; // what was in one that is gone is forgotten first
    const pinned = this.#next === undefined || this.#projects?.isEmpty === false ? this.#load({ pinned: true, limit: MAX_PINNED }, () => {}) : null;
    await this.#load({ project: '' }, (page) => {
      if (this.#next === undefined) this.#next = page.next_cursor;
    });
    await Promise.all([pinned, projects]);
    this.#tellProject();
    this.emit('listed');
  }

  /** A project has another name, or is new (null). */
  noteProject({ name }, before) {
    if (before !== null) this.#projects?.rename(before, name);
    return this.refresh();
  }

  /** `conversation` is the API's, if it is known. Its project is opened, unless the reader has closed it. */
  select(id, conversation) {
    const project = (conversation ?? this.#rows.find(id))?.project ?? null;
    const chatId = this.chatOf(id);
    const isOther = chatId !== this.#current || project !== this.#project;
    this.#current = chatId;
    if (id) this.#rows.noteVisit(chatId, id);
    this.#project = project;
    if (isOther) this.#projects?.reveal(project);
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
    return this.#next !== undefined && !this.#sorted().length && this.#projects?.isEmpty !== false;
  }

  /** The rows that are loaded and shown, newest first, as {id, title}. */
  listLoaded() {
    return this.#sorted().map((row) => ({ id: this.#rows.branchOf(row.chat_id), title: row.title ?? row.preview }));
  }

  hasTitle(id) {
    return Boolean(this.#rows.find(this.chatOf(id))?.title);
  }

  /** `changes` is {title?, mode?, pinned?, archived?, project?}. */
  update(id, changes) {
    const chatId = this.chatOf(id);
    const row = this.#rows.find(chatId);
    if (row) Object.assign(row, changes);
    if (chatId === this.#current && 'project' in changes) this.select(this.#chat.id, changes);
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
    return this.#load({ project: '', cursor: this.#next }, (page) => {
      this.#next = page.next_cursor;
    });
  }

  async #load(query, setNext) {
    try {
      const page = await this.#ask(JSON.stringify(query), () => listConversations(query));
      if (!page) return;
      this.#rows.note(page.conversations);
      if ('project' in query && !query.cursor) this.#rows.forgetGone(page, query.project || null);
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
  async #readProjects() {
    try {
      const answer = await this.#ask('projects', listProjects);
      if (!answer) return;
      const { projects } = answer;
      if (projects.length && !this.#projects) await this.#createProjects();
      if (this.#projects?.hasLost(projects)) this.#startOver(projects);
      await this.#projects?.show(projects);
      this.#draw();
    } catch (error) {
      this.#on.failed(error);
    }
  }

  async #createProjects() {
    const { Projects } = await import('./projects/projects.js');
    const { watchDragging } = await import('./projects/dragging.js');
    if (this.#projects) return; // another answer was quicker
    watchDragging(this.#root, (id, project) => this.#move(id, project).catch(this.#on.failed));
    this.#projects = new Projects(this.#project, {
      load: (query, take) => this.#load(query, take),
      draw: () => this.#draw(),
      drawRows: (rows) => this.#drawRows(rows),
      act: {
        begin: this.#on.begin, edit: this.#on.editProject, failed: this.#on.failed, deleted: () => this.refresh(),
      },
    });
  }

  // What was in a project that is gone may belong on any page of the list.
  #startOver(projects) {
    const names = new Set(projects.map(({ name }) => name));
    for (const row of this.#rows.list()) if (row.project && !names.has(row.project)) this.#rows.remove(row.chat_id);
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
    const groups = groupRows(rows.filter((row) => row.pinned || !row.project)).map(([name, members]) => (
      el('section', {}, el('h2', { class: 'day' }, name), el('ul', {}, ...this.#drawRows(members)))));
    const pinnedCount = rows.some((row) => row.pinned) ? 1 : 0;
    const projects = this.#drawProjects(rows);
    groups.splice(pinnedCount, 0, drawProjectsHead(() => this.#on.editProject(null)), ...projects);
    const empty = rows.length || projects.length ? null : el('p', { class: 'list-empty' }, t('list.empty'));
    const more = this.#next ? drawMore(() => this.#loadMore()) : null;
    const drawn = [...groups, empty, more, drawArchive(() => this.#openArchive().catch(this.#on.failed))].filter(Boolean);
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

  #drawProjects(rows) {
    // The server counts them, and they are not shown there.
    const uncounted = this.#rows.list().filter(
      (row) => !row.archived && (row.pinned || this.#hidden.has(row.chat_id)),
    );
    return this.#projects?.draw(
      rows.filter((row) => row.project && !row.pinned),
      (name) => uncounted.filter((row) => row.project === name).length,
    ) ?? [];
  }

  #drawRows(rows) {
    return rows.map((row) => drawRow(
      { id: this.#rows.branchOf(row.chat_id), title: this.nameOf(row.chat_id), isCurrent: row.chat_id === this.#current },
      (button) => this.#openMenu(button, row).catch(this.#on.failed),
    ));
  }

  async #openMenu(button, row) {
    const { openRowMenu } = await import('./menu/row_menu.js');
    openRowMenu(button, { ...this.#describe(row), pinned: row.pinned }, this.#actions);
  }

  #describe({ chat_id: chatId, project }) {
    return { id: this.branchOf(chatId), title: this.nameOf(chatId), project };
  }

  async #move(id, project) {
    const row = this.#rows.find(this.chatOf(id));
    if (!row || row.project === project) return;
    const { moveRow } = await import('./menu/row_menu.js');
    await moveRow(this.#describe(row), project, this.#actions);
  }

  // Another tab may have moved the open chat, or named its project anew.
  #tellProject() {
    const project = this.#rows.find(this.chatOf(this.#chat.id))?.project;
    if (project !== undefined && project !== this.#chat.conversation.project) this.#chat.change({ project });
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
        if ('project' in changes) this.emit('moved');
        return 'project' in changes ? this.refresh() : null;
      },
    };
  }
}
