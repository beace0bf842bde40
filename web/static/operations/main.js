/** The operator's page: asks again and again, and hands what it hears to its sections. */

import { byId } from '../js/element.js';
import { sentence } from '../js/errors.js';
import { getJson } from '../js/http.js';
import { Polling } from '../js/polling.js';
import { t } from '../js/texts.js';
import { clockTime } from '../js/times.js';
import { createJobs } from './jobs.js';
import { createQueues } from './queues.js';
import { createTimes } from './running_times.js';
import { createStuck } from './stuck.js';
import { createVersions } from './versions.js';
import { createWorkers } from './workers.js';

const NUMBERS_EVERY_MS = 5000;
const WORKERS_EVERY_MS = 15_000; // each asking takes the server a second

const versions = createVersions({ changed: () => numbers.wake() });
const workers = createWorkers();
const told = [createJobs(), createStuck(), createQueues(), createTimes(), versions];

const faults = new Map(); // what could not be had at the last asking, and why
const numbers = new Polling(() => look('numbers', lookAtNumbers), { everyMs: NUMBERS_EVERY_MS });
const answers = new Polling(() => look('workers', lookAtWorkers), { everyMs: WORKERS_EVERY_MS });

async function lookAtNumbers() {
  const [seen, chain] = await Promise.all([
    getJson('/operations.json'),
    getJson('/operations/versions.json', { conversation_id: versions.asked() }),
  ]);
  for (const section of told) section.show({ ...seen, chain });
}

async function lookAtWorkers() {
  workers.show(await getJson('/operations/workers.json'));
}

/** There is always something to wait for here; what could not be had is said, and asked again. */
async function look(name, ask) {
  try {
    await ask();
    faults.delete(name);
  } catch (error) {
    faults.set(name, sentence(error));
  }
  say();
  return true;
}

function say() {
  const [reason] = faults.values();
  byId('state').textContent = reason
    ? t('operations.failed', { reason })
    : t('operations.seen', { time: clockTime(new Date()) });
  byId('state').classList.toggle('is-fault', faults.size > 0);
}

const [jobs, stuck, ...others] = told;
byId('sections').append(...[jobs, workers, stuck, ...others].map(({ element }) => element));
numbers.start();
answers.start();
