/** The result of an import, in sentences and progress bars. */

import { el } from '../page/element.js';
import { formatNumber, t, tCount } from '../text/texts.js';
import { formatTime } from '../text/times.js';

const TIERS = ['summary', 'episode', 'facts'];

/** Whether memory is still processing the import. There are pauses between its jobs. */
export function isInProgress({ status, jobs, tiers }) {
  return status === 'running' || jobs > 0 || tiers.facts.covered < tiers.facts.total;
}

/** Nodes for the API's import. */
export function drawReport(report) {
  const { imported, skipped, failed } = report.conversations;
  const parts = [
    tCount('import.conversations', imported),
    tCount('import.messages', report.messages),
    skipped && tCount('import.skipped', skipped),
    failed && tCount('import.failed', failed),
  ].filter(Boolean);
  const text = t('import.made', { time: formatTime(report.created_at), what: parts.join(', ') });
  return [
    el('p', {}, text),
    report.error && el('p', { class: 'problem' }, report.error),
    drawNotes(report.errors),
    ...drawTiers(report),
  ].filter(Boolean);
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
    return el('label', { class: 'tier' },
      el('span', {}, t(`import.tier.${kind}`)),
      el('span', {}, count),
      el('progress', { max: total, value: covered }));
  });
}
