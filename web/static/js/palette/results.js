/** The palette's groups: what is known on the page, and what the server has found. */

import { el } from '../page/element.js';
import { capitalize, formatFact } from '../text/facts.js';
import { nameFile } from '../text/files.js';
import { formatRange, t, tCount } from '../text/texts.js';
import { formatTime } from '../text/times.js';
import { containsWords, withoutMarks } from '../text/words.js';

const RECENT = 6;
const FULL = 20; // the server gives no more of a kind

/** Commands and loaded chats whose names contain all the words. Without words: what is recent. */
export function groupLoaded(query, on) {
  const chats = closestFirst(on.conversations().filter(({ title }) => containsWords(title, query)), query);
  return withoutEmpty([
    { title: t(query ? 'palette.chats' : 'palette.recent'), options: chats.slice(0, RECENT).map((chat) => chatOption(chat, on)) },
    commandGroup(query, on),
  ]);
}

/** Exact places first; what is only about the same thing comes last, under a title that says so. */
export function groupResults(query, results, on) {
  const isExact = ({ match }) => match === 'exact';
  const exact = results.messages.filter(isExact);
  const related = results.messages.filter((hit) => !isExact(hit));
  const message = (hit) => messageOption(hit, on);
  const file = (hit) => fileOption(hit, on);
  const { files = [] } = results; // none while a server of the version before answers
  return withoutEmpty([
    group('palette.chats', closestFirst(results.conversations.map(nameChat), query), (chat) => chatOption(chat, on)),
    group('palette.facts', results.facts, (fact) => factOption(fact, on)),
    group('palette.messages', exact, message),
    group('palette.files', files.filter(isExact), file),
    commandGroup(query, on),
    group('palette.episodes', results.episodes, (hit) => episodeOption(hit, on)),
    group('palette.related', related, message),
    group('palette.related_files', files.filter((hit) => !isExact(hit)), file),
  ]);
}

function nameChat({ conversation_id: id, title, preview }) {
  return { id, title: title ?? preview ?? '' };
}

// First the chat that is called so, then those whose names begin so.
function closestFirst(chats, query) {
  const prefix = query.toLowerCase();
  const rank = ({ title }) => {
    const name = title.toLowerCase();
    return Number(name !== prefix) + Number(!name.startsWith(prefix));
  };
  return [...chats].sort((a, b) => rank(a) - rank(b));
}

/** Counts places with the words apart from related ones. `corrected` maps misspelt words. */
export function describeResults({ corrected, incomplete, messages, files = [], conversations, facts }) {
  const places = [...messages, ...files];
  const exact = places.filter(({ match }) => match === 'exact').length;
  const count = exact + conversations.length + facts.length;
  const related = places.length - exact;
  const isCut = [messages, files, conversations, facts].some(({ length }) => length >= FULL);
  const corrections = Object.entries(corrected).map(([word, meant]) => t('search.corrected', { word, meant }));
  return [
    ...corrections,
    isCut ? t('search.at_least', { count }) : tCount('search.found', count),
    related ? tCount('search.related', related) : '',
    incomplete ? t('search.incomplete') : '',
  ].filter(Boolean).join(' ');
}

function group(key, hits, draw) {
  const count = hits.length >= FULL ? `${hits.length}+` : hits.length;
  return { title: t('palette.group', { title: t(key), count }), options: hits.map(draw) };
}

function commandGroup(query, on) {
  const commands = listCommands(on).filter(({ label }) => containsWords(label, query));
  return { title: t('palette.commands'), options: commands.map(({ label, run }) => ({ key: label, nodes: [label], run })) };
}

function withoutEmpty(groups) {
  return groups.filter(({ options }) => options.length);
}

function chatOption({ id, title }, on) {
  return { key: id, nodes: [title || t('list.untitled')], run: () => on.go({ id, sequence: null }) };
}

function factOption(fact, on) {
  return { key: fact.fact_id, nodes: [capitalize(formatFact(fact))], run: () => on.showFact(fact.fact_id) };
}

function messageOption(hit, on) {
  const speaker = t(hit.role === 'user' ? 'chat.you' : 'chat.reply');
  const about = t('palette.about', { title: hit.title ?? t('list.untitled'), speaker, time: formatTime(hit.created_at) });
  return placeOption(hit, about, on);
}

/** Leads to the message that has the file. */
function fileOption(hit, on) {
  const title = hit.title ?? t('list.untitled');
  return placeOption(hit, t('palette.about_file', { name: nameFile(hit), title, time: formatTime(hit.created_at) }), on);
}

function episodeOption(hit, on) {
  const range = formatRange(hit.start, hit.end);
  return placeOption(hit, t('search.episode', { range, time: formatTime(hit.started_at) }), on);
}

/** `snippet` is [[text, isHit], …]. */
function placeOption({ conversation_id: id, sequence_number: sequence, snippet }, about, on) {
  const nodes = snippet.map(([marked, isHit]) => (isHit ? el('mark', {}, withoutMarks(marked)) : withoutMarks(marked)));
  return { key: `${id} ${sequence}`, about, nodes, run: () => on.go({ id, sequence }) };
}

/** [{label, run}]. `on.current()` is the open conversation, {id}, null for none; `on.showMemory()` shows the panel. */
function listCommands(on) {
  const press = (selector) => () => document.querySelector(selector).click();
  const commands = [
    { label: t('command.new'), run: press('.new-chat') },
    { label: t('command.memory'), run: on.showMemory },
    on.current().id && { label: t('command.conversation'), run: press('#conversation-open') },
    { label: t('archive.title'), run: press('#archive-open') },
    { label: t('prompts.title'), run: press('#prompts-open') },
    { label: t('command.settings'), run: press('[data-opens-dialog="settings"]') },
    { label: t('command.data'), run: press('[data-opens-dialog="data"]') },
    document.querySelector('#operations-link') && { label: t('command.operations'), run: press('#operations-link') },
    { label: t('command.shortcuts'), run: press('[data-opens-dialog="shortcuts"]') },
  ];
  return commands.filter(Boolean);
}
