/** The background jobs of this conversation: what waits, runs, is done, or failed and why. */

import { el } from '../element.js';
import { t } from '../texts.js';
import { timeElement } from '../times.js';
import { createSection } from './section.js';

const SHOWN = 8;

export function createJobs() {
  const list = el('ul', { class: 'job-list' });
  const none = el('p', { class: 'none' }, t('jobs.none'));
  return {
    element: createSection('jobs', none, list),
    show({ jobs }) {
      none.hidden = jobs.length > 0;
      list.replaceChildren(...newestFirst(jobs).slice(0, SHOWN).map(drawJob));
    },
  };
}

export function isInProgress(job) {
  return job.state === 'queued' || job.state === 'running';
}

function newestFirst(jobs) {
  return [...jobs].sort((a, b) => b.created_at.localeCompare(a.created_at));
}

function drawJob(job) {
  return el('li', { class: `job is-${job.state}` },
    el('span', { class: 'job-name' }, nameOf(job)),
    timeElement(job.finished_at ?? job.created_at),
    el('span', { class: 'job-state' }, stateText(job)),
    job.error ? el('p', { class: 'job-error' }, job.error) : null);
}

function nameOf({ kind, start_sequence: first, end_sequence: last }) {
  return t(first === last ? 'jobs.one' : 'jobs.range', { kind: t(`jobs.kind.${kind}`), first, last });
}

function stateText({ state, attempts }) {
  const word = t(`jobs.state.${state}`);
  return attempts > 1 ? t('jobs.attempt', { state: word, attempts }) : word;
}
