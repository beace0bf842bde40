/** The background jobs of this conversation: what waits, runs, is done, or failed. */

import { el } from '../element.js';
import { KeyedRows } from '../keyed_rows.js';
import { formatNumber, t } from '../texts.js';
import { listRepeatable } from './failures.js';
import { createJobRow } from './job_row.js';
import { createSection } from './section.js';

const SHOWN = 8;
const KINDS = ['summary', 'episode', 'facts', 'title'];
const STATES = ['queued', 'running', 'completed', 'failed'];

export function createJobs({ wake }) {
  const none = el('p', { class: 'none' }, t('jobs.none'));
  const totals = el('ul', { class: 'job-totals' });
  const list = el('ul', {});
  const rows = new KeyedRows(list, ({ job }) => `${job.kind}-${job.id}`, () => createJobRow({ wake }));
  return {
    element: createSection('jobs', none, totals, list),
    show({ id, jobs, counts }) {
      const repeatable = listRepeatable(jobs);
      none.hidden = jobs.length > 0;
      totals.replaceChildren(...KINDS.filter((kind) => counts[kind]).map((kind) => drawTotal(kind, counts[kind])));
      rows.show(jobs.slice(0, SHOWN).map((job) => ({ id, job, isRepeatable: repeatable.includes(job) })));
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
