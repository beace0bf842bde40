/** One background job: its messages, its state, why it failed, and a button to run it again. */

import { describeError } from '../api/errors.js';
import { runJob } from '../api/memory.js';
import { el, timeElement } from '../page/element.js';
import { t } from '../text/texts.js';
import { describeJobError } from './job_errors.js';
import { createButton } from './parts.js';

/** `wake()` updates the whole panel. The row shows items {id, job, isRepeatable}. */
export class JobRow {
  element;
  #item = null;
  #line = el('div', { class: 'job-line' });
  #error = el('p', { class: 'job-error' });
  #button = createButton('jobs.run_again', () => this.#runAgain());
  #problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  #wake;

  constructor({ wake }) {
    this.#wake = wake;
    this.element = el('li', {}, this.#line, this.#error, this.#button, this.#problem);
  }

  show(item) {
    this.#item = item;
    const { job, isRepeatable } = item;
    this.element.className = `job is-${job.state}`;
    this.#line.replaceChildren(...drawLine(job));
    this.#error.textContent = describeJobError(job);
    this.#error.hidden = !this.#error.textContent;
    this.#button.hidden = !isRepeatable;
  }

  async #runAgain() {
    const { id, job } = this.#item;
    this.#button.disabled = true;
    this.#problem.hidden = true;
    try {
      await runJob(id, job.kind);
    } catch (error) {
      this.#problem.textContent = describeError(error);
      this.#problem.hidden = false;
    } finally {
      this.#button.disabled = false;
      this.#wake();
    }
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
