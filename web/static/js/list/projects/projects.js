/**
 * The projects of the list: groups that open and close. What is in one is loaded when it is opened.
 *
 * This folder is loaded when there is a project to show.
 */

import { el, icon, iconButton } from '../../page/element.js';
import { readStored, store } from '../../page/storage.js';
import { idOf } from '../../text/projects.js';
import { t, tCount } from '../../text/texts.js';

const STORED = 'projects';

export class Projects {
  #projects = []; // the API's, by name
  #openNames = new Set(JSON.parse(readStored(STORED) ?? '[]')); // the names of those that the reader has opened
  #revealed; // the name of the one that is open because of the open chat
  #pages = new Map(); // the cursor of the next page by name, null after the last; only of loaded ones
  #loading = new Set(); // the names of those whose first page was asked for and has not come
  #on;

  /**
   * `revealed` is the name of the open chat's, or null.
   * `on.load(query, take)`: a page is to be read and noted, and given to `take`. `on.draw()`: the
   * list is to be drawn anew. `on.drawRows(rows)` draws them. `on.act`: see project_menu.js.
   */
  constructor(revealed, on) {
    this.#revealed = revealed;
    this.#on = on;
  }

  get isEmpty() {
    return this.#projects.length === 0;
  }

  /** `projects` are the API's of now. Resolves when those that are open are loaded anew. */
  async show(projects) {
    this.#projects = projects;
    const names = projects.map(({ name }) => name);
    for (const name of this.#pages.keys()) if (!names.includes(name)) this.#pages.delete(name);
    await Promise.all(names.filter((name) => this.#isOpen(name)).map((name) => this.#load(name)));
  }

  /** Whether one of those that were shown is not among the API's `projects` any more. */
  hasLost(projects) {
    return this.#projects.some((project) => !projects.some(({ name }) => name === project.name));
  }

  /**
   * Opens the project of the open chat (null: it is in none), until another one is opened. What is in
   * a project that is not shown yet is loaded by `show`.
   */
  async reveal(name) {
    this.#revealed = name;
    const isShown = this.#projects.some((project) => project.name === name);
    if (isShown && !this.#pages.has(name) && !this.#loading.has(name)) await this.#load(name);
  }

  rename(before, name) {
    if (this.#revealed === before) this.#revealed = name;
    if (this.#openNames.delete(before)) this.#openNames.add(name);
    this.#keep();
  }

  /** `rows` are all that are in projects and not pinned, in order. `uncounted(name)`: of these, and pinned ones. */
  draw(rows, uncounted) {
    return this.#projects.map((project) => this.#drawProject(
      { ...project, count: Math.max(0, project.count - uncounted(project.name)) },
      rows.filter((row) => row.project === project.name),
    ));
  }

  #isOpen(name) {
    return this.#openNames.has(name) || this.#revealed === name;
  }

  async #load(name, cursor = undefined) {
    if (cursor === undefined) this.#loading.add(name);
    await this.#on.load({ project: name, cursor }, (page) => {
      const isDeeper = cursor === undefined && this.#pages.has(name); // later pages are loaded already
      if (!isDeeper) this.#pages.set(name, page.next_cursor);
    });
    if (cursor === undefined) this.#loading.delete(name);
  }

  #toggle(name) {
    if (this.#isOpen(name)) {
      this.#openNames.delete(name);
      if (this.#revealed === name) this.#revealed = null;
    } else {
      this.#openNames.add(name);
      if (!this.#pages.has(name)) this.#load(name);
    }
    this.#keep();
    this.#on.draw();
  }

  #keep() {
    store(STORED, this.#openNames.size ? JSON.stringify([...this.#openNames]) : '');
  }

  #drawProject(project, rows) {
    const { name, count } = project;
    const isOpen = this.#isOpen(name);
    const id = idOf(name);
    return el('section', { class: 'project', 'data-project': name },
      el('div', { class: 'row' }, this.#drawHead(name, count, isOpen), this.#drawMenuButton(project)),
      el('div', { class: 'project-body', id: `${id}-body`, hidden: !isOpen },
        el('ul', {}, ...(isOpen ? this.#on.drawRows(rows) : [])),
        isOpen && rows.length === 0 && this.#pages.has(name) ? el('p', { class: 'project-empty' }, t('projects.empty')) : null,
        isOpen && this.#pages.get(name) ? this.#drawMore(name) : null));
  }

  #drawHead(name, count, isOpen) {
    const id = idOf(name);
    const onclick = () => this.#toggle(name);
    return el('h3', { class: 'project-head' },
      el('button', { type: 'button', class: 'project-open', id, 'aria-expanded': `${isOpen}`, 'aria-controls': `${id}-body`, onclick },
        icon('forth'), el('span', { class: 'project-name', dir: 'auto' }, name),
        el('span', { class: 'project-count', 'aria-hidden': 'true' }, `${count}`),
        el('span', { class: 'visually-hidden' }, tCount('import.conversations', count))));
  }

  #drawMenuButton(project) {
    const { name } = project;
    const id = `${idOf(name)}-more`;
    const openMenu = async (button) => {
      const { openProjectMenu } = await import('./project_menu.js');
      openProjectMenu(button, project, this.#on.act);
    };
    return iconButton('more', t('list.more_about', { title: name }), {
      class: 'quiet row-more', id, 'aria-haspopup': 'menu', 'aria-expanded': 'false',
      onclick: ({ currentTarget }) => openMenu(currentTarget).catch(this.#on.act.failed),
    });
  }

  #drawMore(name) {
    const onclick = () => this.#load(name, this.#pages.get(name));
    return el('button', {
      type: 'button', class: 'more', id: `${idOf(name)}-older`, 'aria-label': t('projects.more', { project: name }), onclick,
    }, t('list.more'));
  }
}
