/**
 * The palette: one field that finds chats, facts, messages and commands. It is a combobox: the focus
 * stays in the field while the arrow keys move through what was found.
 *
 * This folder is loaded when the palette is opened for the first time.
 */

import { describeError, isAbort } from '../api/errors.js';
import { searchMemory } from '../api/memory.js';
import { listProjects } from '../api/projects.js';
import { closeByBackdrop } from '../page/dialogs.js';
import { el, icon, iconButton } from '../page/element.js';
import { Options } from '../page/options.js';
import { t } from '../text/texts.js';
import { Filters } from './filters.js';
import { describeResults, groupLoaded, groupResults } from './results.js';

const DEBOUNCE_MS = 180;

export class Palette {
  #dialog;
  #field;
  #status = el('p', { class: 'palette-status', role: 'status' });
  #options;
  #filters = new Filters(() => this.#update());
  #on;
  #timer = null;
  #request = new AbortController();
  #projects = []; // the names of those with their own memory

  /**
   * `on.conversations()` lists the loaded conversations as {id, title}. `on.current()` is the open
   * one's {id, project}, null each for none. `on.go({id, sequence})` shows a place, `on.showFact(id)` a fact,
   * `on.showMemory()` the panel.
   */
  constructor(on) {
    this.#on = on;
    this.#field = this.#createField();
    this.#options = new Options('palette', this.#field, (run) => this.#run(run));
    this.#dialog = this.#createDialog();
    document.body.append(this.#dialog);
  }

  open() {
    if (this.#dialog.open) return;
    this.#showFilters();
    this.#dialog.showModal();
    this.#field.select();
    this.#update();
    this.#readProjects();
  }

  #showFilters() {
    const { id, project } = this.#on.current();
    this.#filters.open(id !== null, this.#projects, project);
  }

  // Without them, everything else is found all the same.
  async #readProjects() {
    const before = this.#projects.join('/');
    const { projects } = await listProjects().catch(() => ({ projects: [] }));
    this.#projects = projects.filter((project) => project.own_memory).map(({ name }) => name);
    if (this.#projects.join('/') === before) return;
    this.#showFilters();
    this.#update();
  }

  #createField() {
    return el('input', {
      type: 'search',
      class: 'palette-field',
      dir: 'auto',
      maxlength: '200',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: t('palette.placeholder'),
      'aria-label': t('search.label'),
      role: 'combobox',
      'aria-expanded': 'true',
      'aria-controls': 'palette-options',
      'aria-autocomplete': 'list',
      oninput: () => this.#update(),
      onkeydown: (event) => this.#handleKey(event),
    });
  }

  #createDialog() {
    const close = () => dialog.close();
    const head = el('div', { class: 'palette-head' }, icon('search'), this.#field,
      iconButton('close', t('dialog.close'), { class: 'icon-button', onclick: close }));
    const dialog = el('dialog', { class: 'palette', 'aria-label': t('palette.title') },
      el('div', { class: 'palette-body' }, head, this.#filters.element, this.#status, this.#options.element,
        el('p', { class: 'palette-keys', 'aria-hidden': 'true' }, t('palette.keys'))));
    closeByBackdrop(dialog);
    dialog.addEventListener('close', () => this.#request.abort());
    return dialog;
  }

  // What is known on the page is shown at once; the server's answer takes its place.
  #update() {
    clearTimeout(this.#timer);
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    const query = this.#field.value.trim();
    this.#status.textContent = '';
    this.#options.show(groupLoaded(query, this.#on));
    if (query) this.#timer = setTimeout(() => this.#search(query, signal), DEBOUNCE_MS);
  }

  async #search(query, signal) {
    const only = this.#filters.read(this.#on.current());
    this.#status.textContent = t('palette.searching');
    try {
      const results = await searchMemory({ q: query, ...only }, signal);
      this.#options.show(groupResults(query, results, this.#on), { keeps: true });
      this.#status.textContent = describeResults(results);
    } catch (error) {
      if (!isAbort(error)) this.#status.textContent = describeError(error);
    }
  }

  #handleKey(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.isComposing) return;
    if (event.key in steps) {
      event.preventDefault();
      this.#options.move(steps[event.key]);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#options.choose();
    } else if (event.key === 'Escape') {
      event.preventDefault(); // the browser would only empty the field
      this.#dialog.close();
    }
  }

  #run(run) {
    this.#dialog.close();
    run();
  }
}
