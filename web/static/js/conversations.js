/** The list of conversations, newest first, grouped by day. */

import { listConversations } from './api.js';
import { addressOf } from './address.js';
import { byId, el } from './element.js';
import { t } from './texts.js';
import { dayName } from './times.js';

export class Conversations {
  #root = byId('conversations');
  #rows = new Map(); // by id
  #next = undefined; // where the next page begins; undefined before the first
  #current = null;
  #hidden = new Set(); // ids of those that are being deleted
  #on;

  /** `on.failed(error)`; `on.remove(id)`: the reader wants this one deleted. */
  constructor(on) {
    this.#on = on;
    this.#root.addEventListener('keydown', (event) => this.#press(event));
  }

  /** Fetches the newest page again; what was loaded below it stays. */
  refresh() {
    return this.#load({}, (page) => {
      if (this.#next === undefined) this.#next = page.next;
    });
  }

  select(id) {
    this.#current = id;
    this.#draw();
  }

  titleOf(id) {
    const row = this.#rows.get(id);
    return row?.title ?? row?.preview ?? null;
  }

  hasTitle(id) {
    return Boolean(this.#rows.get(id)?.title);
  }

  /** `changes` is {title?, mode?}; a row that is not loaded has nothing to show them. */
  amend(id, changes) {
    const row = this.#rows.get(id);
    if (row) Object.assign(row, changes);
    this.#draw();
  }

  /** Takes a row out of sight; one that has the focus hands it to the next. */
  hide(id) {
    const link = byId(`conversation-${id}`);
    const others = [...this.#root.querySelectorAll('.conversation')];
    const next = others[others.indexOf(link) + 1] ?? others.at(-2);
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

  #press(event) {
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

  async #load(query, noteNext) {
    try {
      const page = await listConversations(query);
      for (const row of page.conversations) this.#rows.set(row.conversation_id, row);
      noteNext(page);
      this.#draw();
    } catch (error) {
      this.#on.failed(error);
    }
  }

  #draw() {
    const focused = this.#root.contains(document.activeElement) && document.activeElement.id;
    const shown = [...this.#rows.values()].filter((row) => !this.#hidden.has(row.conversation_id));
    const rows = shown.sort((a, b) => b.updated_at.localeCompare(a.updated_at));
    const groups = groupByDay(rows).map(([day, members]) => this.#drawGroup(day, members));
    const empty = rows.length ? null : el('p', { class: 'list-empty' }, t('list.empty'));
    this.#root.replaceChildren(...groups, ...[empty, this.#drawMore()].filter(Boolean));
    if (focused) byId(focused)?.focus();
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
    const day = dayName(row.updated_at);
    groups.set(day, [...(groups.get(day) ?? []), row]);
  }
  return [...groups];
}
