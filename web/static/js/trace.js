/** What one reply was given, what was left out, and how long each step took. */

import { el } from './element.js';
import { formatNumber, t, tCount } from './texts.js';
import { rangeLink, rangeText } from './links.js';
import { dayName, duration } from './times.js';

// In the order in which they are taken; `recall` is left out, for it is the sum of all before `prompt`.
const STEPS = [
  'facts', 'summary', 'turns', 'question', 'spelling', 'embed_query', 'messages', 'episodes', 'prompt', 'first_token',
  'model',
];

/**
 * Nodes for the API's trace; older ones have no `messages`, `corrected` or `failed`, and `gap` for `verbatim`.
 * What was deleted since is `gone`.
 */
export function drawTrace(trace) {
  const { facts, episodes, messages = [], summary, corrected = {}, failed = [], cut, tokens, steps_ms: steps } = trace;
  const verbatim = trace.verbatim ?? trace.gap;
  const lines = [
    failed.length && t('trace.failed', { what: failed.map((name) => t(`trace.step.${name}`)).join(', ') }),
    correctedText(corrected),
    summary?.points && t('trace.summary', { points: tCount('trace.points', summary.points) }),
    verbatim && t('trace.verbatim', { range: rangeText(verbatim.start, verbatim.end) }),
    verbatim?.shortened?.length && t('trace.shortened'),
    cutText(cut),
    t('trace.tokens', { given: formatNumber(tokens.given), budget: formatNumber(tokens.budget) }),
    stepsText(steps),
  ];
  return [
    drawList('trace.facts', facts.map(drawFact)),
    drawList('trace.episodes', episodes.map(drawEpisode)),
    drawList('trace.quotes', messages.map(drawQuote)),
    ...lines.filter(Boolean).map((line) => el('p', {}, line)),
  ].filter(Boolean);
}

function drawList(key, items) {
  if (!items.length) return null;
  return el('div', {}, el('h4', {}, t(key)), el('ul', {}, ...items));
}

function drawFact({ key, value, gone }) {
  if (gone) return drawGone('trace.gone.fact');
  return el('li', {}, el('span', { class: 'fact-key' }, key.replaceAll('_', ' ')), ' ', value);
}

function drawEpisode({ conversation_id: id, start, end, summary, gone }) {
  if (gone) return drawGone('trace.gone.episode');
  return el('li', { class: 'given-place' }, el('span', {}, summary), rangeLink(id, start, end));
}

function drawQuote({ conversation_id: id, sequence, role, name, said_at: saidAt, text, gone }) {
  if (gone) return drawGone('trace.gone.message');
  const speaker = name ?? t(role === 'user' ? 'chat.you' : 'chat.reply');
  const about = t('trace.quote', { speaker, day: dayName(saidAt) });
  const words = el('span', { dir: 'auto' }, el('span', { class: 'given-about' }, about), ' ', text);
  return el('li', { class: 'given-place' }, words, rangeLink(id, sequence, sequence));
}

function drawGone(key) {
  return el('li', { class: 'given-gone' }, t(key));
}

/** `corrected` has what was looked for by what was typed; null where nothing says it any more. */
function correctedText(corrected) {
  const words = Object.entries(corrected).filter(([, meant]) => meant).map(([word, meant]) => t('trace.corrected.word', { word, meant }));
  return words.length ? t('trace.corrected', { words: words.join(', ') }) : '';
}

function cutText({ facts, episodes, messages, points, gap }) {
  const parts = [
    facts && tCount('given.facts', facts),
    episodes && tCount('given.episodes', episodes),
    messages && tCount('given.messages', messages),
    points && tCount('trace.points', points),
    gap && t('trace.messages', { range: rangeText(gap.start, gap.end) }),
  ].filter(Boolean);
  return parts.length ? t('trace.cut', { what: parts.join(', ') }) : '';
}

function stepsText(steps) {
  const taken = STEPS.filter((name) => name in steps);
  const parts = taken.map((name) => t('trace.step', { name: t(`trace.step.${name}`), time: duration(steps[name]) }));
  return parts.length ? t('trace.steps', { steps: parts.join(', ') }) : '';
}
