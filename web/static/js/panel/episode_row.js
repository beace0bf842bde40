/** One episode: its time, its summary, its key concepts, and a link to its messages. */

import { deleteEpisode } from '../api/memory.js';
import { runAction } from '../page/action.js';
import { confirmAction } from '../page/dialogs.js';
import { el } from '../page/element.js';
import { rangeLink } from '../page/links.js';
import { announce } from '../page/notices.js';
import { t } from '../text/texts.js';
import { formatSpan } from '../text/times.js';
import { createButton } from './parts.js';

export class EpisodeRow {
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
