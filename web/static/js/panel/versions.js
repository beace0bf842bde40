/** Where a fact came from, and what was held before it. */

import { el } from '../element.js';
import { placeLink } from '../links.js';
import { t } from '../texts.js';
import { timeOf } from '../times.js';

/** Nodes: since when, how sure, and a link to the message. */
export function drawOrigin(fact) {
  const values = { time: timeOf(fact.valid_from), percent: Math.round(fact.confidence * 100) };
  return [t('facts.since', values), ' ', drawSource(fact.source)];
}

/** An `li`: "was Berlin until 14:32, from message 4". */
export function drawVersion(fact) {
  const text = t('facts.was', { value: fact.value, time: timeOf(fact.valid_to) });
  return el('li', {}, text, ' ', drawSource(fact.source));
}

/** Whether the version `factId` stands where another stood, to which one can go back. */
export function hasReplaced(versions, factId) {
  return versions.some((version) => version.superseded_by === factId);
}

function drawSource(source) {
  if (!source) return t('facts.no_source');
  const label = t('facts.source', { sequence: source.sequence });
  return placeLink(source.conversation_id, source.sequence, { class: 'place' }, label);
}
