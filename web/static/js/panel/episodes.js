/** The episodes of this conversation or of all, newest first. */

import { deleteEpisode, listEpisodes } from '../api/memory.js';
import { runAction } from '../page/action.js';
import { confirmAction } from '../page/dialogs.js';
import { el } from '../page/element.js';
import { KeyedRows } from '../page/keyed_rows.js';
import { rangeLink } from '../page/links.js';
import { announce } from '../page/notices.js';
import { t } from '../text/texts.js';
import { formatSpan } from '../text/times.js';
import { createButton, createSection } from './parts.js';

/** `wake()` updates the whole panel. */
export class Episodes {
  kind = 'episodes';
  element;
  #scope; // 'here' or 'all'
  #loaded = new Map(); // the API's episodes by id
  #next = undefined; // the cursor of the next page; undefined before the first page is loaded
  #conversationId = null;
  #memory = null; // the project with its own that the open conversation is in
  #rows;
  #none = el('p', { class: 'none' });
  #more = el('button', { type: 'button', class: 'more', hidden: true }, t('list.more'));
  #scopeButtons;
  #wake;

  constructor({ wake }) {
    this.#wake = wake;
    this.#more.addEventListener('click', () => this.#loadMore());
    const list = el('ul', {});
    this.#rows = new KeyedRows(list, ({ id }) => id, () => new EpisodeRow((id) => this.#remove(id)));
    this.#scopeButtons = this.#createScopeButtons();
    this.#scopeButtons.hidden = true;
    this.element = createSection('episodes', this.#scopeButtons, this.#none, list, this.#more);
    this.#setScope('here');
  }

  async refresh({ id, memory, signal }) {
    if (id !== this.#conversationId || memory !== this.#memory) this.#setConversation(id, memory);
    const scopeId = this.#scopeId;
    const page = await listEpisodes({ conversationId: scopeId, memory, signal });
    if (scopeId !== this.#scopeId) return; // the reader has switched to the other scope
    if (this.#next === undefined) this.#next = page.next_cursor;
    this.#add(page);
  }

  /** The conversation whose episodes are shown, or null for all. A new chat shows all. */
  get #scopeId() {
    return this.#scope === 'here' ? this.#conversationId : null;
  }

  #setConversation(id, memory) {
    this.#conversationId = id;
    this.#memory = memory;
    this.#scopeButtons.hidden = id === null;
    this.#clear();
  }

  #setScope(scope) {
    this.#scope = scope;
    for (const button of this.#scopeButtons.children) {
      button.setAttribute('aria-pressed', button.dataset.scope === scope);
    }
    this.#clear();
  }

  #clear() {
    this.#loaded.clear();
    this.#next = undefined;
    this.#draw();
  }

  async #loadMore() {
    await runAction(this.element, async () => {
      const page = await listEpisodes({ conversationId: this.#scopeId, memory: this.#memory, cursor: this.#next });
      this.#next = page.next_cursor;
      this.#add(page);
    });
  }

  #add({ episodes }) {
    for (const episode of episodes) this.#loaded.set(episode.id, episode);
    this.#draw();
  }

  #remove(id) {
    this.#loaded.delete(id);
    this.#draw();
  }

  #draw() {
    const episodes = [...this.#loaded.values()].sort((a, b) => b.id - a.id);
    this.#rows.show(episodes);
    this.#none.textContent = t(this.#scopeId === null ? 'episodes.none' : 'episodes.none_here');
    this.#none.hidden = episodes.length > 0 || this.#next === undefined;
    this.#more.hidden = !this.#next;
  }

  #createScopeButtons() {
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

/** One episode: its time, its summary, its key concepts, and a link to its messages. */
class EpisodeRow {
  element = el('li', { class: 'episode' });
  #id = null;
  #onDeleted;

  /** `onDeleted(id)` is called when the server has deleted the episode. */
  constructor(onDeleted) {
    this.#onDeleted = onDeleted;
  }

  // An episode never changes, so it is drawn only once.
  show(episode) {
    if (episode.id === this.#id) return;
    this.#id = episode.id;
    const actions = el('div', { class: 'actions' }, createButton('episodes.delete', () => this.#delete()));
    const summary = el('summary', {}, el('span', { class: 'episode-text', dir: 'auto' }, episode.summary));
    const tags = episode.key_concepts.map((concept) => el('li', { dir: 'auto' }, concept));
    const parts = [
      drawHead(episode),
      episode.is_fallback && el('p', { class: 'about' }, t('episodes.fallback')),
      el('details', {}, summary, actions),
      el('ul', { class: 'tags', 'aria-label': t('episodes.concepts') }, ...tags),
    ];
    this.element.replaceChildren(...parts.filter(Boolean));
  }

  async #delete() {
    const question = { title: t('episodes.delete_title'), text: t('episodes.delete_text'), verb: t('episodes.delete') };
    if (!(await confirmAction(question))) return;
    if (!(await runAction(this.element, () => deleteEpisode(this.#id)))) return;
    announce(t('episodes.deleted'));
    this.#onDeleted(this.#id);
  }
}

function drawHead({ conversation_id: conversationId, start, end, started_at: startedAt, ended_at: endedAt }) {
  const span = el('span', {}, formatSpan(startedAt, endedAt));
  return el('p', { class: 'episode-head' }, span, rangeLink(conversationId, start, end));
}
