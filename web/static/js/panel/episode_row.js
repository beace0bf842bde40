/** One episode: when it was, what it says, what it turns on, and the messages it was made of. */

import { announce } from '../announcer.js';
import { attempt } from '../attempt.js';
import { confirmed } from '../confirming.js';
import { el } from '../element.js';
import { rangeLink } from '../links.js';
import { deleteEpisode } from '../memory_api.js';
import { t } from '../texts.js';
import { spanOf } from '../times.js';

export class EpisodeRow {
  element = el('li', { class: 'episode' });
  #id = null;
  #onDeleted;

  /** `onDeleted(id)` is called once the server has forgotten it. */
  constructor(onDeleted) {
    this.#onDeleted = onDeleted;
  }

  // An episode is closed: once drawn, nothing of it changes.
  show(episode) {
    if (episode.id === this.#id) return;
    this.#id = episode.id;
    const head = el('p', { class: 'episode-head' },
      el('span', {}, spanOf(episode.started_at, episode.ended_at)),
      rangeLink(episode.conversation_id, episode.start, episode.end));
    const tags = episode.key_concepts.map((concept) => el('li', {}, concept));
    const remove = el('button', { type: 'button', class: 'action', onclick: () => this.#delete() }, t('episodes.delete'));
    const more = el('div', { class: 'actions' }, remove);
    const mark = episode.is_fallback ? [el('p', { class: 'about' }, t('episodes.fallback'))] : [];
    this.element.replaceChildren(
      head,
      ...mark,
      el('details', {}, el('summary', {}, el('span', { class: 'episode-text' }, episode.summary)), more),
      el('ul', { class: 'tags', 'aria-label': t('episodes.concepts') }, ...tags));
  }

  async #delete() {
    const question = { title: t('episodes.delete_title'), text: t('episodes.delete_text'), verb: t('episodes.delete') };
    if (!(await confirmed(question))) return;
    if (!(await attempt(this.element, () => deleteEpisode(this.#id)))) return;
    announce(t('episodes.deleted'));
    this.#onDeleted(this.#id);
  }
}
