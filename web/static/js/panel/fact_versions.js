/** The origin of a fact, and the values that it had before. */

import { el } from '../page/element.js';
import { messageLink } from '../page/links.js';
import { t } from '../text/texts.js';
import { formatDay, formatTime } from '../text/times.js';

const UNSURE_BELOW = 0.7; // a plain statement has more

/** Nodes: who said it and when, with a link to the message; whether it is uncertain. */
export function drawOrigin(fact) {
  const nodes = [drawSource(fact)];
  if (!fact.stated && fact.confidence < UNSURE_BELOW) nodes.push(' ', t('facts.unsure'));
  return nodes;
}

/** An `li` for an earlier version: "Before: “Berlin”, until 14:32. From a chat, Monday". */
export function drawVersion(fact) {
  const text = t('facts.was', { value: fact.value, time: formatTime(fact.valid_to) });
  return el('li', {}, text, ' ', drawSource(fact));
}

/** Whether a version has replaced an earlier one, so that this can be undone. Those that were joined with it do not count. */
export function hasReplaced(versions, factId) {
  return versions.some((version) => version.superseded_by === factId && !version.tidied);
}

function drawSource({ stated, source, valid_from: since }) {
  if (stated) return t('facts.stated', { day: formatDay(since) });
  if (!source) return t('facts.from_deleted');
  return sourceLink(source, since);
}

/** A link to the message that a fact was learned from. */
export function sourceLink({ conversation_id: id, sequence }, saidAt) {
  return messageLink(id, sequence, { class: 'place' }, t('facts.from_chat', { day: formatDay(saidAt) }));
}
