/** The result of an import, in sentences and progress bars. */

import { el } from '../page/element.js';
import { formatNumber, t, tCount } from '../text/texts.js';
import { formatTime } from '../text/times.js';

const TIERS = ['summary', 'episode', 'facts'];

/** Whether memory is still processing the import. There are pauses between its jobs. */
export function isInProgress({ status, jobs, tiers, failed_jobs: failed }) {
  const isPausing = !failed.length && tiers.facts.covered < tiers.facts.total;
  return status === 'running' || jobs > 0 || isPausing;
}

/** Nodes for the API's import. `toldError` was shown already. `runAgain()` runs its failed jobs. */
export function drawReport(report, { toldError, runAgain }) {
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
    report.error && report.error !== toldError && el('p', { class: 'problem' }, report.error),
    drawLeftOut(report),
    drawNotes(report.errors),
    ...drawTiers(report),
    drawFailed(report, runAgain),
  ].filter(Boolean);
}

function drawLeftOut({ import_id: id, left_out: leftOut }) {
  const reasons = Object.entries(leftOut);
  if (!reasons.length) return null;
  const lines = reasons.map(([reason, count]) => (
    el('li', {}, t('import.left_out.line', { reason: t(`import.left_out.${reason}`), count: formatNumber(count) }))));
  const link = { class: 'action', href: `/api/v1/imports/${encodeURIComponent(id)}`, download: 'import.json' };
  return el('details', { id: 'import-left-out' },
    el('summary', {}, t('import.left_out')), el('ul', {}, ...lines), el('a', link, t('import.left_out.download')));
}

function drawNotes(notes) {
  if (!notes.length) return null;
  const lines = notes.map((note) => el('li', {}, textOfNote(note)));
  return el('details', { id: 'import-notes' },
    el('summary', {}, tCount('import.notes', notes.length)), el('ul', {}, ...lines));
}

// Some are about no conversation, but about facts or personas.
function textOfNote({ index, message }) {
  return index === null ? message : t('import.note', { number: index + 1, message });
}

// What is left when all is done waits for more to be said: the last messages fill no episode.
function drawTiers(report) {
  const { tiers, failed_jobs: failed } = report;
  const isOver = !isInProgress(report);
  return TIERS.filter((kind) => tiers[kind].total > 0).map((kind) => {
    const { covered, total } = tiers[kind];
    const isDone = isOver && !failed.some((job) => job.kind === kind);
    const values = { covered: formatNumber(covered), total: formatNumber(total) };
    return el('label', { class: 'tier' },
      el('span', {}, t(`import.tier.${kind}`)),
      el('span', {}, t(isDone ? 'import.done' : 'import.covered', values)),
      el('progress', { max: total, value: isDone ? total : covered }));
  });
}

function drawFailed({ failed_jobs: failed }, runAgain) {
  if (!failed.length) return null;
  return el('p', { class: 'import-failed' }, `${tCount('import.failed_jobs', failed.length)} `,
    el('button', { type: 'button', class: 'action', id: 'import-again', onclick: runAgain }, t('jobs.run_again')));
}
