/** The background jobs of this conversation: those that failed, the others, and how many of each kind are in which state. */

import { el, timeElement } from '../page/element.js';
import { KeyedRows } from '../page/keyed_rows.js';
import { formatNumber, nameJobKind, t, tCount } from '../text/texts.js';
import { describeJobError, listRepeatable } from './job_errors.js';
import { createSection } from './parts.js';
import { RunButton } from './run_button.js';

const SHOWN_JOBS = 8;
const STATES = ['queued', 'running', 'completed', 'failed'];

/** `wake()` updates the whole panel. */
export function createJobs({ wake }) {
  const none = el('p', { class: 'none' }, t('jobs.none'));
  const yields = el('p', { class: 'none' }, t('jobs.yields'));
  const totals = el('ul', { class: 'job-totals' });
  const list = el('ul', {});
  const rows = createRows(list, wake);
  return {
    kind: 'jobs',
    element: createSection('jobs', none, yields, totals, list),
    show({ id, jobs, counts, is_yielding: isYielding }) {
      const failed = listRepeatable(jobs);
      const others = jobs.filter((job) => !failed.includes(job));
      none.hidden = jobs.length > 0;
      yields.hidden = !isYielding || !jobs.some((job) => job.state === 'queued');
      totals.replaceChildren(...Object.keys(counts).sort().map((kind) => drawTotal(kind, counts[kind])));
      rows.show(others.slice(0, SHOWN_JOBS).map((job) => ({ id, job, isRepeatable: false })));
    },
  };
}

/**
 * The jobs that have failed and that the reader may run again, and how many messages no model could read. Hidden while
 * there are none.
 */
export function createFailures({ wake }) {
  const list = el('ul', {});
  const rows = createRows(list, wake);
  const unreadText = el('p', {});
  const button = new RunButton({ wake });
  const unreadNote = el('div', { class: 'job unread' }, unreadText, ...button.elements);
  const section = createSection('failures', list, unreadNote);
  section.hidden = true;
  return {
    kind: 'jobs',
    element: section,
    show({ id, jobs, unread }) {
      const failed = listRepeatable(jobs);
      section.hidden = !failed.length && !unread;
      rows.show(failed.map((job) => ({ id, job, isRepeatable: true })));
      unreadNote.hidden = !unread;
      unreadText.textContent = tCount('jobs.unread', unread);
      Object.assign(button, { id, kind: 'facts' });
    },
  };
}

function createRows(list, wake) {
  return new KeyedRows(list, ({ job }) => `${job.kind}-${job.id}`, () => new JobRow({ wake }));
}

export function isInProgress(job) {
  return job.state === 'queued' || job.state === 'running';
}

function drawTotal(kind, counts) {
  const states = STATES.filter((state) => counts[state]).map((state) => {
    const values = { count: formatNumber(counts[state]), state: t(`jobs.state.${state}`) };
    return el('span', { class: `job-state is-${state}` }, t('jobs.total', values));
  });
  return el('li', { 'data-kind': kind }, el('span', {}, nameJobKind(kind)), ...states);
}

/** `wake()` updates the whole panel. The row shows items {id, job, isRepeatable}. */
class JobRow {
  element;
  #line = el('div', { class: 'job-line' });
  #error = el('p', { class: 'job-error' });
  #button;

  constructor({ wake }) {
    this.#button = new RunButton({ wake });
    this.element = el('li', {}, this.#line, this.#error, ...this.#button.elements);
  }

  show({ id, job, isRepeatable }) {
    this.element.className = `job is-${job.state}`;
    this.#line.replaceChildren(...drawLine(job));
    this.#error.textContent = describeJobError(job);
    this.#error.hidden = !this.#error.textContent;
    Object.assign(this.#button, { id, kind: job.kind });
    this.#button.setHidden(!isRepeatable);
  }
}

function drawLine(job) {
  return [
    el('span', { class: 'job-name' }, nameOf(job)),
    timeElement(job.finished_at ?? job.begun_at ?? job.created_at),
    el('span', { class: `job-state is-${job.state}` }, describeState(job)),
  ];
}

function nameOf({ kind, start_sequence: first, end_sequence: last }) {
  return t(first === last ? 'jobs.one' : 'jobs.range', { kind: nameJobKind(kind), first, last });
}

function describeState({ state, attempts }) {
  const name = t(`jobs.state.${state}`);
  return attempts > 1 ? t('jobs.attempt', { state: name, attempts }) : name;
}
