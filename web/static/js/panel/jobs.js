/** The background jobs of this conversation, and how many of each kind are in which state. */

import { el } from '../page/element.js';
import { KeyedRows } from '../page/keyed_rows.js';
import { formatNumber, t } from '../text/texts.js';
import { listRepeatable } from './job_errors.js';
import { JobRow } from './job_row.js';
import { createSection } from './parts.js';

const SHOWN_JOBS = 8;
const KINDS = ['summary', 'episode', 'facts', 'title'];
const STATES = ['queued', 'running', 'completed', 'failed'];

/** `wake()` updates the whole panel. */
export function createJobs({ wake }) {
  const none = el('p', { class: 'none' }, t('jobs.none'));
  const totals = el('ul', { class: 'job-totals' });
  const list = el('ul', {});
  const rows = new KeyedRows(list, ({ job }) => `${job.kind}-${job.id}`, () => new JobRow({ wake }));
  return {
    element: createSection('jobs', none, totals, list),
    show({ id, jobs, counts }) {
      const repeatable = listRepeatable(jobs);
      none.hidden = jobs.length > 0;
      totals.replaceChildren(...KINDS.filter((kind) => counts[kind]).map((kind) => drawTotal(kind, counts[kind])));
      rows.show(jobs.slice(0, SHOWN_JOBS).map((job) => ({ id, job, isRepeatable: repeatable.includes(job) })));
    },
  };
}

export function isInProgress(job) {
  return job.state === 'queued' || job.state === 'running';
}

function drawTotal(kind, counts) {
  const states = STATES.filter((state) => counts[state]).map((state) => {
    const values = { count: formatNumber(counts[state]), state: t(`jobs.state.${state}`) };
    return el('span', { class: `job-state is-${state}` }, t('jobs.total', values));
  });
  return el('li', { 'data-kind': kind }, el('span', {}, t(`jobs.kind.${kind}`)), ...states);
}
