/** One background job: its messages, its state, why it failed, and a button to run it again. */

import { el, timeElement } from '../page/element.js';
import { t } from '../text/texts.js';
import { describeJobError } from './job_errors.js';
import { RunButton } from './run_button.js';

/** `wake()` updates the whole panel. The row shows items {id, job, isRepeatable}. */
export class JobRow {
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
  return t(first === last ? 'jobs.one' : 'jobs.range', { kind: t(`jobs.kind.${kind}`), first, last });
}

function describeState({ state, attempts }) {
  const name = t(`jobs.state.${state}`);
  return attempts > 1 ? t('jobs.attempt', { state: name, attempts }) : name;
}
