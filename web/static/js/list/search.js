/** Search in all messages and episodes. The results take the place of the list of conversations. */

import { describeError, isAbort } from '../api/errors.js';
import { searchMemory } from '../api/memory.js';
import { byId, el } from '../page/element.js';
import { messageLink } from '../page/links.js';
import { formatRange, t, tCount } from '../text/texts.js';
import { formatTime } from '../text/times.js';

const DEBOUNCE_MS = 250;

/** `titleOf(id)` is a conversation's title in the list, or null when it is not loaded there. */
export function prepareSearch(titleOf) {
  const box = byId('search');
  let timer = null;
  let request = new AbortController();

  function update() {
    clearTimeout(timer);
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const query = box.value.trim();
    if (query) timer = setTimeout(() => search(query, titleOf, signal), DEBOUNCE_MS);
    else showResults(false);
  }

  box.addEventListener('input', update);
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !box.value) return;
    event.preventDefault(); // Escape would also close the list or stop a reply
    box.value = '';
    update();
  });
}

async function search(query, titleOf, signal) {
  try {
    drawResults(await searchMemory(query, signal), titleOf);
  } catch (error) {
    if (isAbort(error)) return;
    byId('found-count').textContent = describeError(error);
    byId('hits').replaceChildren();
  }
  showResults(true);
}

function showResults(isSearching) {
  byId('found').hidden = !isSearching;
  byId('conversations').hidden = isSearching;
}

/** `corrected` maps each misspelt word to the word that was searched for in its place. */
function drawResults({ corrected, incomplete, messages, episodes }, titleOf) {
  const corrections = Object.entries(corrected).map(([word, meant]) => t('search.corrected', { word, meant }));
  const count = tCount('search.found', messages.length + episodes.length);
  byId('found-count').textContent = [...corrections, count, incomplete ? t('search.incomplete') : ''].join(' ');
  const groups = [
    drawGroup('search.messages', messages, (hit) => drawMessage(hit, titleOf)),
    drawGroup('search.episodes', episodes, drawEpisode),
  ];
  byId('hits').replaceChildren(...groups.filter(Boolean));
}

function drawGroup(key, hits, draw) {
  if (!hits.length) return null;
  return el('section', {}, el('h2', { class: 'day' }, t(key)), el('ul', {}, ...hits.map(draw)));
}

function drawMessage(hit, titleOf) {
  const title = hit.title ?? titleOf(hit.conversation_id) ?? t('list.untitled');
  return drawHit(hit, `${title}, ${formatTime(hit.created_at)}`);
}

function drawEpisode(hit) {
  const range = formatRange(hit.start, hit.end);
  return drawHit(hit, t('search.episode', { range, time: formatTime(hit.started_at) }));
}

/** `snippet` is [[text, isHit], …]. */
function drawHit({ conversation_id: id, sequence_number: sequence, snippet }, about) {
  const pieces = snippet.map(([text, isHit]) => (isHit ? el('mark', {}, text) : text));
  return el('li', {}, messageLink(id, sequence, { class: 'hit' },
    el('span', { class: 'hit-about', dir: 'auto' }, about),
    el('span', { class: 'hit-text', dir: 'auto' }, ...pieces)));
}
