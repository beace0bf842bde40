/** Searches what was said; its hits stand in the place of the list of conversations. */

import { byId, el } from './element.js';
import { isAbort, sentence } from './errors.js';
import { placeLink, rangeText } from './links.js';
import { searchMemory } from './memory_api.js';
import { t, tCount } from './texts.js';
import { timeOf } from './times.js';

const PAUSE_MS = 250; // after the last key

/** `titleOf(id)` is what a conversation is called in the list, or null when it is not loaded. */
export function prepareSearch(titleOf) {
  const box = byId('search');
  let timer = null;
  let running = new AbortController();

  function note() {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
    const query = box.value.trim();
    if (query) timer = setTimeout(() => showHits(query, titleOf, running.signal), PAUSE_MS);
    else show(false);
  }

  box.addEventListener('input', note);
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !box.value) return;
    event.preventDefault(); // or it would close the list, or stop a reply
    box.value = '';
    note();
  });
}

async function showHits(query, titleOf, signal) {
  try {
    const { corrected, incomplete, messages, episodes } = await searchMemory(query, signal);
    const groups = [
      drawGroup('search.messages', messages, (hit) => drawMessage(hit, titleOf)),
      drawGroup('search.episodes', episodes, drawEpisode),
    ];
    const found = tCount('search.found', messages.length + episodes.length);
    say([...correctionsOf(corrected), found, incomplete ? t('search.incomplete') : ''].join(' '));
    byId('hits').replaceChildren(...groups.filter(Boolean));
  } catch (error) {
    if (isAbort(error)) return;
    say(sentence(error));
    byId('hits').replaceChildren();
  }
  show(true);
}

/** `corrected` has what was searched for by what was typed. */
function correctionsOf(corrected) {
  return Object.entries(corrected).map(([word, meant]) => t('search.corrected', { word, meant }));
}

function show(isSearching) {
  byId('found').hidden = !isSearching;
  byId('conversations').hidden = isSearching;
}

function say(text) {
  byId('found-count').textContent = text;
}

function drawGroup(key, hits, draw) {
  if (!hits.length) return null;
  return el('section', {}, el('h2', { class: 'day' }, t(key)), el('ul', {}, ...hits.map(draw)));
}

function drawMessage(hit, titleOf) {
  const title = hit.title ?? titleOf(hit.conversation_id) ?? t('list.untitled');
  return drawHit(hit, `${title}, ${timeOf(hit.created_at)}`);
}

function drawEpisode(hit) {
  return drawHit(hit, t('search.episode', { range: rangeText(hit.start, hit.end), time: timeOf(hit.started_at) }));
}

function drawHit({ conversation_id: id, sequence_number: sequence, snippet }, about) {
  const pieces = snippet.map(([text, isHit]) => (isHit ? el('mark', {}, text) : text));
  return el('li', {}, placeLink(id, sequence, { class: 'hit' },
    el('span', { class: 'hit-about', dir: 'auto' }, about), el('span', { class: 'hit-text', dir: 'auto' }, ...pieces)));
}
