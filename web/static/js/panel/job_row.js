/** One background job: what it reads, how it stands, why it failed, and a button to run it again. */

import { el } from '../element.js';
import { sentence } from '../errors.js';
import { runJob } from '../memory_api.js';
import { t } from '../texts.js';
import { timeElement } from '../times.js';
import { whyNotDone } from './failures.js';

/** `wake()`: what has been started is to be looked at. The row shows {id, job, isRepeatable}. */
export function createJobRow({ wake }) {
  const line = el('div', { class: 'job-line' });
  const why = el('p', { class: 'job-error' });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const button = el('button', { type: 'button', class: 'action', onclick: () => runAgain(shown, button, problem, wake) }, t('jobs.run_again'));
  const element = el('li', {}, line, why, button, problem);
  let shown;
  return {
    element,
    show(item) {
      shown = item;
      const { job, isRepeatable } = item;
      element.className = `job is-${job.state}`;
      line.replaceChildren(...drawLine(job));
      why.textContent = whyNotDone(job);
      why.hidden = !why.textContent;
      button.hidden = !isRepeatable;
    },
  };
}

async function runAgain({ id, job }, button, problem, wake) {
  button.disabled = true;
  problem.hidden = true;
  try {
    await runJob(id, job.kind);
  } catch (error) {
    problem.textContent = sentence(error);
    problem.hidden = false;
  } finally {
    button.disabled = false;
    wake();
  }
}

function drawLine(job) {
  return [
    el('span', { class: 'job-name' }, nameOf(job)),
    timeElement(job.finished_at ?? job.begun_at ?? job.created_at),
    el('span', { class: `job-state is-${job.state}` }, stateText(job)),
  ];
}

function nameOf({ kind, start_sequence: first, end_sequence: last }) {
  return t(first === last ? 'jobs.one' : 'jobs.range', { kind: t(`jobs.kind.${kind}`), first, last });
}

function stateText({ state, attempts }) {
  const word = t(`jobs.state.${state}`);
  return attempts > 1 ? t('jobs.attempt', { state: word, attempts }) : word;
}
