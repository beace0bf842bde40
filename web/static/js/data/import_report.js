/** What came of an import, in sentences and bars. */

import { el } from '../element.js';
import { formatNumber, t, tCount } from '../texts.js';
import { timeOf } from '../times.js';

const TIERS = ['summary', 'episode', 'facts'];

/** Whether memory is still at work on it: jobs follow one another, with pauses between them. */
export function isUnderWay({ status, jobs, tiers }) {
  return status === 'running' || jobs > 0 || tiers.facts.covered < tiers.facts.total;
}

/** Nodes for the API's import. */
export function drawImport(made) {
  const { imported, skipped, failed } = made.conversations;
  const parts = [
    tCount('import.conversations', imported),
    tCount('import.messages', made.messages),
    skipped && tCount('import.skipped', skipped),
    failed && tCount('import.failed', failed),
  ].filter(Boolean);
  const text = t('import.made', { time: timeOf(made.created_at), what: parts.join(', ') });
  return [el('p', {}, text), drawProblem(made.error), drawNotes(made.errors), ...drawTiers(made)].filter(Boolean);
}

function drawProblem(error) {
  return error && el('p', { class: 'problem' }, error);
}

function drawNotes(notes) {
  if (!notes.length) return null;
  const lines = notes.map(({ index, message }) => el('li', {}, t('import.note', { number: index + 1, message })));
  return el('details', {}, el('summary', {}, tCount('import.notes', notes.length)), el('ul', {}, ...lines));
}

function drawTiers({ tiers }) {
  return TIERS.filter((kind) => tiers[kind].total > 0).map((kind) => {
    const { covered, total } = tiers[kind];
    const count = t('import.covered', { covered: formatNumber(covered), total: formatNumber(total) });
    return el('label', { class: 'tier' }, el('span', {}, t(`import.tier.${kind}`)), el('span', {}, count),
      el('progress', { max: total, value: covered }));
  });
}
