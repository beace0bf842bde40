/** A reply's trace: what the model was given, what was left out, and behind a fold the numbers. */

import { el } from '../../page/element.js';
import { messageLink, rangeLink } from '../../page/links.js';
import { capitalize, formatFact } from '../../text/facts.js';
import { nameFile } from '../../text/files.js';
import { formatNumber, formatRange, t, tCount } from '../../text/texts.js';
import { formatDay, formatDuration } from '../../text/times.js';
import { nameModel } from '../models/model_choice.js';

// In the order in which they run. `recall` is left out: it is the sum of the steps before `prompt`.
// The first word and the whole reply are shown by themselves.
const STEPS = ['facts', 'summary', 'turns', 'question', 'spelling', 'embed_query', 'messages', 'episodes', 'prompt'];

/**
 * Nodes for the API's trace. What has been deleted since is marked as `gone`. A trace of an older
 * version has no `messages`, `passages`, `corrected`, `failed` or `usage`, and has `gap` in place of `verbatim`.
 * One of a reply that failed early has times only. `model` is the one that answered, or null.
 */
export function drawTrace(trace, model) {
  if (!trace.facts) return [drawNumbers(trace, model)];
  const used = drawItems(trace, (item) => item.used);
  const others = drawItems(trace, (item) => !item.used);
  return [
    ...(used.length ? [drawPart('trace.used'), el('p', {}, t('trace.used.about')), ...used] : []),
    ...(used.length && others.length ? [drawPart('trace.given')] : []),
    ...others,
    ...listSentences(trace).map((sentence) => el('p', {}, sentence)),
    drawNumbers(trace, model),
  ].filter(Boolean);
}

function drawItems({ facts, episodes, messages = [], passages = [] }, isShown) {
  return [
    drawList('trace.facts', facts.filter(isShown).map(drawFact)),
    drawList('trace.episodes', episodes.filter(isShown).map(drawEpisode)),
    drawList('trace.quotes', messages.filter(isShown).map(drawQuote)),
    drawList('trace.passages', passages.filter(isShown).map(drawPassage)),
  ].filter(Boolean);
}

function drawPart(key) {
  return el('h4', { class: 'provenance-part' }, t(key));
}

function listSentences(trace) {
  const { summary, corrected = {}, failed = [], cut } = trace;
  return [
    failed.length && t('trace.failed', { what: failed.map((name) => t(`trace.step.${name}`)).join(', ') }),
    describeCorrections(corrected),
    summary?.points && t('trace.summary', { points: tCount('trace.points', summary.points) }),
    ...describeVerbatim(trace.verbatim ?? trace.gap),
    describeCut(cut),
  ].filter(Boolean);
}

/** What most readers do not look for: tokens and times. */
function drawNumbers(trace, model) {
  const { tokens, steps_ms: stepsMs = {} } = trace;
  const room = tokens && t('trace.tokens', { count: formatNumber(tokens.given), budget: formatNumber(tokens.budget) });
  const sentences = [room, describeSteps(stepsMs)].filter(Boolean);
  return el('details', { class: 'numbers' }, el('summary', {}, t('trace.numbers')),
    drawCost(trace, model), ...sentences.map((sentence) => el('p', {}, sentence)));
}

function drawCost({ usage, steps_ms: stepsMs = {} }, model) {
  const { tokens_in: inputCount = 0, tokens_out: outputCount = 0, tokens_cached: cached = 0 } = usage ?? {};
  const tokens = { input: formatNumber(inputCount), output: formatNumber(outputCount) };
  const rows = [
    ['trace.cost.model', model && nameModel(model)],
    ['trace.cost.tokens', inputCount + outputCount ? t('trace.cost.count', tokens) : t('trace.cost.unknown')],
    ['trace.cost.cached', cached && formatNumber(cached)],
    ['trace.cost.first', formatStep(stepsMs.first_token)],
    ['trace.cost.whole', formatStep(stepsMs.model)],
  ].filter(([, text]) => text);
  return el('dl', { class: 'cost' }, ...rows.map(([key, text]) => el('div', {}, el('dt', {}, t(key)), el('dd', {}, text))));
}

function formatStep(ms) {
  return ms === undefined ? '' : formatDuration(ms);
}

function drawList(key, items) {
  if (!items.length) return null;
  return el('div', {}, el('h4', {}, t(key)), el('ul', {}, ...items));
}

function drawFact(fact) {
  if (fact.gone) return drawGone('trace.gone.fact');
  const { conversation_id: id, sequence } = fact;
  const words = el('span', { dir: 'auto' }, capitalize(formatFact(fact)), ...nameChat(fact));
  return el('li', { class: 'provenance-source' }, words, id && rangeLink(id, sequence, sequence));
}

/** The name of the chat that something comes from, which leads to its place there. */
function nameChat({ conversation_id: id, sequence, start = sequence, title }) {
  return id && title ? [' ', messageLink(id, start, { class: 'place' }, t('trace.in', { title }))] : [];
}

function drawEpisode(episode) {
  const { conversation_id: id, start, end, summary, gone } = episode;
  if (gone) return drawGone('trace.gone.episode');
  return el('li', { class: 'provenance-source' }, el('span', {}, summary, ...nameChat(episode)), rangeLink(id, start, end));
}

function drawQuote(quote) {
  const { conversation_id: id, sequence, role, name, said_at: saidAt, text, gone } = quote;
  if (gone) return drawGone('trace.gone.message');
  const speaker = name ?? t(role === 'user' ? 'chat.you' : 'chat.reply');
  const about = t('trace.quote', { speaker, day: formatDay(saidAt) });
  const words = el('span', { dir: 'auto' }, el('span', { class: 'provenance-about' }, about), ' ', text, ...nameChat(quote));
  return el('li', { class: 'provenance-source' }, words, rangeLink(id, sequence, sequence));
}

function drawPassage(passage) {
  const { conversation_id: id, sequence, title, text, gone } = passage;
  if (gone) return drawGone('trace.gone.passage');
  const about = t('trace.passage', { name: nameFile(passage), title: title ?? t('list.untitled') });
  const place = messageLink(id, sequence, { class: 'place' }, about);
  return el('li', { class: 'provenance-source' }, el('span', { dir: 'auto' }, place, ' ', text), rangeLink(id, sequence, sequence));
}

function drawGone(key) {
  return el('li', { class: 'provenance-gone' }, t(key));
}

/** `corrected` maps each misspelt word to its correction, or to null when no message has it any more. */
function describeCorrections(corrected) {
  const known = Object.entries(corrected).filter(([, meant]) => meant);
  const words = known.map(([word, meant]) => t('trace.corrected.word', { word, meant }));
  return words.length ? t('trace.corrected', { words: words.join(', ') }) : '';
}

/** `shortened` has the messages whose middle was cut. */
function describeVerbatim(verbatim) {
  if (!verbatim) return [];
  const range = formatRange(verbatim.start, verbatim.end);
  const cutNote = verbatim.shortened?.length ? t('trace.shortened') : '';
  return [t('trace.verbatim', { range }), cutNote];
}

function describeCut({ facts, episodes, messages, passages, points, gap }) {
  const parts = [
    facts && tCount('provenance.facts', facts),
    episodes && tCount('provenance.episodes', episodes),
    messages && tCount('provenance.messages', messages),
    passages && tCount('provenance.passages', passages),
    points && tCount('trace.points', points),
    gap && t('trace.messages', { range: formatRange(gap.start, gap.end) }),
  ].filter(Boolean);
  return parts.length ? t('trace.cut', { what: parts.join(', ') }) : '';
}

function describeSteps(stepsMs) {
  const names = STEPS.filter((name) => name in stepsMs);
  const parts = names.map((name) => {
    const time = formatDuration(stepsMs[name]);
    return t('trace.step', { name: t(`trace.step.${name}`), time });
  });
  return parts.length ? t('trace.steps', { steps: parts.join(', ') }) : '';
}
