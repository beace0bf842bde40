/** The palette's groups: what is known on the page, and what the server has found. */

import { el } from '../page/element.js';
import { formatRange, t, tCount } from '../text/texts.js';
import { formatTime } from '../text/times.js';
import { listCommands } from './commands.js';

const RECENT = 6;
const FULL = 20; // the server gives no more of a kind

/** Commands and loaded chats whose names contain all the words. Without words: what is recent. */
export function groupKnown(query, on) {
  const chats = on.conversations().filter(({ title }) => contains(title, query));
  return withoutEmpty([
    { title: t(query ? 'palette.chats' : 'palette.recent'), options: chats.slice(0, RECENT).map((chat) => chatOption(chat, on)) },
    commandGroup(query, on),
  ]);
}

/** Exact places first; what is only about the same thing comes last, under a title that says so. */
export function groupFound(query, found, on) {
  const isExact = ({ match }) => match === 'exact';
  const exact = found.messages.filter(isExact);
  const related = found.messages.filter((hit) => !isExact(hit));
  const message = (hit) => messageOption(hit, on);
  return withoutEmpty([
    group('palette.chats', found.conversations, ({ conversation_id: id, title, preview }) => (
      chatOption({ id, title: title ?? preview }, on)
    )),
    group('palette.facts', found.facts, (fact) => factOption(fact, on)),
    group('palette.messages', exact, message),
    commandGroup(query, on),
    group('palette.episodes', found.episodes, (hit) => episodeOption(hit, on)),
    group('palette.related', related, message),
  ]);
}

/** Counts places with the words apart from related ones. `corrected` maps misspelt words. */
export function describeFound({ corrected, incomplete, messages, conversations, facts }) {
  const exact = messages.filter(({ match }) => match === 'exact').length;
  const count = exact + conversations.length + facts.length;
  const related = messages.length - exact;
  const corrections = Object.entries(corrected).map(([word, meant]) => t('search.corrected', { word, meant }));
  return [
    ...corrections,
    tCount('search.found', count),
    related ? tCount('search.related', related) : '',
    incomplete ? t('search.incomplete') : '',
  ].filter(Boolean).join(' ');
}

function group(key, hits, draw) {
  const count = hits.length >= FULL ? `${hits.length}+` : hits.length;
  return { title: t('palette.group', { title: t(key), count }), options: hits.map(draw) };
}

function commandGroup(query, on) {
  const commands = listCommands(on).filter(({ label }) => contains(label, query));
  return { title: t('palette.commands'), options: commands.map(({ label, run }) => ({ nodes: [label], run })) };
}

function withoutEmpty(groups) {
  return groups.filter(({ options }) => options.length);
}

function contains(text, query) {
  const lower = text.toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}

function chatOption({ id, title }, on) {
  return { nodes: [title || t('list.untitled')], run: () => on.go({ id, sequence: null }) };
}

function factOption({ fact_id: id, key, value }, on) {
  return { about: key.replaceAll('_', ' '), nodes: [value], run: () => on.showFact(id) };
}

function messageOption(hit, on) {
  const speaker = t(hit.role === 'user' ? 'chat.you' : 'chat.reply');
  const about = t('palette.about', { title: hit.title ?? t('list.untitled'), speaker, time: formatTime(hit.created_at) });
  return placeOption(hit, about, on);
}

function episodeOption(hit, on) {
  const range = formatRange(hit.start, hit.end);
  return placeOption(hit, t('search.episode', { range, time: formatTime(hit.started_at) }), on);
}

/** `snippet` is [[text, isHit], …]. */
function placeOption({ conversation_id: id, sequence_number: sequence, snippet }, about, on) {
  const nodes = snippet.map(([text, isHit]) => (isHit ? el('mark', {}, text) : text));
  return { about, nodes, run: () => on.go({ id, sequence }) };
}
