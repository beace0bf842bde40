/** The origin of a fact, and the values that it had before. */

import { el } from '../page/element.js';
import { messageLink } from '../page/links.js';
import { t } from '../text/texts.js';
import { formatTime } from '../text/times.js';

/** Nodes: since when the fact holds, how certain it is, and a link to its message. */
export function drawOrigin(fact) {
  const values = { time: formatTime(fact.valid_from), percent: Math.round(fact.confidence * 100) };
  return [t('facts.since', values), ' ', drawSource(fact.source)];
}

/** An `li` for an earlier version: "Was “Berlin” until 14:32, from message 4". */
export function drawVersion(fact) {
  const text = t('facts.was', { value: fact.value, time: formatTime(fact.valid_to) });
  return el('li', {}, text, ' ', drawSource(fact.source));
}

/** Whether a version has replaced an earlier one, so that this can be undone. */
export function hasReplaced(versions, factId) {
  return versions.some((version) => version.superseded_by === factId);
}

function drawSource(source) {
  if (!source) return t('facts.no_source');
  return sourceLink(source);
}

/** A link to the message that a fact was learned from. */
export function sourceLink({ conversation_id: id, sequence }) {
  return messageLink(id, sequence, { class: 'place' }, t('facts.source', { sequence }));
}
