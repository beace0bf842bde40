/** The list of conversations, newest first, grouped by day. */

import { listConversations } from '../api/chat.js';
import { addressOf } from '../page/address.js';
import { byId, el } from '../page/element.js';
import { t } from '../text/texts.js';
import { formatDay } from '../text/times.js';

export class Conversations {
  #root = byId('conversations');
  #rows = new Map(); // the API's conversations by id
  #next = undefined; // the cursor of the next page; undefined before the first page is loaded
  #current = null;
  #hidden = new Set(); // ids of conversations that are being deleted
  #on;

  /** `on.failed(error)`: a page was not loaded. `on.remove(id)`: the reader wants to delete one. */
  constructor(on) {
    this.#on = on;
    this.#root.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** Loads the newest page again. Rows that were loaded below it stay. */
  refresh() {
    return this.#load({}, (page) => {
      if (this.#next === undefined) this.#next = page.next;
    });
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

  /** `changes` is {title?, mode?}. */
  update(id, changes) {
    const row = this.#rows.get(id);
    if (row) Object.assign(row, changes);
    this.#draw();
  }

  /** Hides a row. When it has the focus, the next row gets it. */
  hide(id) {
    const link = byId(`conversation-${id}`);
    const links = [...this.#root.querySelectorAll('.conversation')];
    const next = links[links.indexOf(link) + 1] ?? links.at(-2);
    const hadFocus = link !== null && link === document.activeElement;
    this.#hidden.add(id);
    this.#draw();
    if (hadFocus) byId(next?.id)?.focus();
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
      for (const row of page.conversations) this.#rows.set(row.conversation_id, row);
      setNext(page);
      this.#draw();
    } catch (error) {
      this.#on.failed(error);
    }
  }

  // Links are replaced, so the focus is moved to the new link.
  #draw() {
    const focusedId = this.#root.contains(document.activeElement) && document.activeElement.id;
    const rows = this.#sorted();
    const groups = groupByDay(rows).map(([day, members]) => this.#drawGroup(day, members));
    const empty = rows.length ? null : el('p', { class: 'list-empty' }, t('list.empty'));
    this.#root.replaceChildren(...[...groups, empty, this.#drawMore()].filter(Boolean));
    if (focusedId) byId(focusedId)?.focus();
  }

  #sorted() {
    const shown = [...this.#rows.values()].filter((row) => !this.#hidden.has(row.conversation_id));
    return shown.sort((a, b) => b.updated_at.localeCompare(a.updated_at));
  }

  #drawGroup(day, rows) {
    const links = rows.map((row) => el('li', {}, this.#drawLink(row)));
    return el('section', {}, el('h2', { class: 'day' }, day), el('ul', {}, ...links));
  }

  #drawLink({ conversation_id: id }) {
    return el('a', {
      class: 'conversation',
      dir: 'auto',
      id: `conversation-${id}`,
      href: addressOf(id),
      'data-conversation': id,
      'aria-current': id === this.#current ? 'page' : null,
    }, this.titleOf(id) ?? t('list.untitled'));
  }

  #drawMore() {
    if (!this.#next) return null;
    const onclick = () => this.#loadMore();
    return el('button', { type: 'button', class: 'more', id: 'more-conversations', onclick }, t('list.more'));
  }
}

/** [[day, rows], …] in the order of the rows. */
function groupByDay(rows) {
  const groups = new Map();
  for (const row of rows) {
    const day = formatDay(row.updated_at);
    groups.set(day, [...(groups.get(day) ?? []), row]);
  }
  return [...groups];
}
