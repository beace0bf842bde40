/** Closed episodes, of this conversation or of all, newest first. */

import { attempt } from '../attempt.js';
import { el } from '../element.js';
import { KeyedRows } from '../keyed_rows.js';
import { listEpisodes } from '../memory_api.js';
import { t } from '../texts.js';
import { EpisodeRow } from './episode_row.js';
import { createSection } from './section.js';

export function createEpisodes({ wake }) {
  return new Episodes(wake);
}

class Episodes {
  element;
  #scope; // 'here' or 'all'; a new chat has only 'all'
  #known = new Map(); // by id; what was loaded once stays
  #next = undefined; // where the next page begins; undefined before the first
  #conversationId = null;
  #rows;
  #none = el('p', { class: 'none' });
  #more = el('button', { type: 'button', class: 'more', hidden: true, onclick: () => this.#loadMore() }, t('list.more'));
  #choice;
  #wake;

  constructor(wake) {
    this.#wake = wake;
    const list = el('ul', {});
    this.#rows = new KeyedRows(list, ({ id }) => id, () => new EpisodeRow((id) => this.#forget(id)));
    this.#choice = this.#createChoice();
    this.#choice.hidden = true;
    this.element = createSection('episodes', this.#choice, this.#none, list, this.#more);
    this.#setScope('here');
  }

  async refresh({ id, signal }) {
    if (id !== this.#conversationId) this.#enter(id);
    const scope = this.#place;
    const page = await listEpisodes({ conversationId: scope, signal });
    if (scope !== this.#place) return; // the reader has chosen the other scope meanwhile
    if (this.#next === undefined) this.#next = page.next;
    this.#take(page);
  }

  get #place() {
    return this.#scope === 'here' ? this.#conversationId : null;
  }

  #enter(id) {
    this.#conversationId = id;
    this.#choice.hidden = id === null;
    this.#clear();
  }

  #setScope(scope) {
    this.#scope = scope;
    for (const button of this.#choice.children) {
      button.setAttribute('aria-pressed', button.dataset.scope === scope);
    }
    this.#clear();
  }

  #clear() {
    this.#known.clear();
    this.#next = undefined;
    this.#draw();
  }

  async #loadMore() {
    await attempt(this.element, async () => {
      const page = await listEpisodes({ conversationId: this.#place, before: this.#next });
      this.#next = page.next;
      this.#take(page);
    });
  }

  #take({ episodes }) {
    for (const episode of episodes) this.#known.set(episode.id, episode);
    this.#draw();
  }

  #forget(id) {
    this.#known.delete(id);
    this.#draw();
  }

  #draw() {
    const episodes = [...this.#known.values()].sort((a, b) => b.id - a.id);
    this.#rows.show(episodes);
    this.#none.textContent = t(this.#place === null ? 'episodes.none' : 'episodes.none_here');
    this.#none.hidden = episodes.length > 0 || this.#next === undefined;
    this.#more.hidden = !this.#next;
  }

  #createChoice() {
    const buttons = ['here', 'all'].map((scope) => {
      const choose = () => {
        this.#setScope(scope);
        this.#wake();
      };
      return el('button', { type: 'button', 'data-scope': scope, onclick: choose }, t(`episodes.${scope}`));
    });
    return el('div', { class: 'scopes', role: 'group', 'aria-label': t('episodes.scope') }, ...buttons);
  }
}
