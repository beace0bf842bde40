/** A model is tried, and what came of it is told. */

import { addModel, testModel } from '../../api/models.js';
import { el } from '../../page/element.js';
import { notify } from '../../page/notices.js';
import { formatNumber, locale, t } from '../../text/texts.js';

const MOST_NAMES = 12;

/**
 * Sets a model up if it works. `place` is where it is, `fields` what it is called and does, as the API takes both.
 * Resolves to {result, model}; the model is null if it does not work.
 */
export async function tryAndAdd(place, fields) {
  const result = await testModel(place);
  if (result.outcome !== 'works') return { result, model: null };
  const limit = { context_tokens: fields.context_tokens ?? result.context_tokens };
  return { result, model: await addModel({ ...place, ...fields, ...limit }) };
}

/** A sentence on a model that works. */
export function tellSuccess({ took_ms: tookMs, features, context_tokens: tokens }) {
  const words = features.map((name) => t(`models.feature.${name}`));
  if (tokens) words.push(t('models.feature.window', { count: formatNumber(tokens) }));
  const works = t('models.outcome.works', { seconds: (tookMs / 1000).toFixed(1) });
  return words.length ? `${works} ${t('models.features', { features: new Intl.ListFormat(locale).format(words) })}` : works;
}

/**
 * Tells that the first real model was set up, and asks it what the built-in helper has answered last.
 * `on` is {changed, chat, thread, rounds}, as model_setup.js has them.
 */
export async function welcomeFirst(result, { changed, chat, thread, rounds }) {
  notify(tellSuccess(result), { isCalm: true });
  await changed();
  const sequence = thread.lastSequence;
  const writer = thread.find(sequence)?.querySelector('.who')?.textContent;
  if (chat.id && thread.isNewest(sequence) && writer === t('models.built_in')) await rounds.retry(sequence);
}

/** `result` is the API's; `choose(name)` is called with a model of the server's own list. */
export function describeTest(result, choose) {
  const { outcome, took_ms: tookMs, detail, served } = result;
  const seconds = (tookMs / 1000).toFixed(1);
  const isGood = outcome === 'works';
  const lines = [el('p', {}, el('strong', {}, isGood ? tellSuccess(result) : t(`models.outcome.${outcome}`, { seconds })))];
  if (detail) lines.push(el('p', { class: 'about', dir: 'auto' }, t('models.said', { words: detail })));
  if (served?.length) {
    lines.push(el('p', { class: 'about' }, t('models.served_are')));
    lines.push(el('div', { class: 'actions' }, ...served.slice(0, MOST_NAMES).map((name) => el('button', {
      type: 'button', class: 'action', onclick: () => choose(name),
    }, name))));
  }
  return el('div', { class: isGood ? 'is-good' : 'is-bad' }, ...lines);
}
