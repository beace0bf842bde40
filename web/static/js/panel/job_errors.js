/** Explains why a job is not done, and finds the jobs that the reader may run again. */

import { t } from '../text/texts.js';

// The server's messages, see shared/store/lease (claims.py, overdue.py) and shared/derivations/runner.py.
const REPLACED = /^message (\d+) was replaced$/;
const GIVEN_UP = /^(?:(.*); )?gave up after (\d+) attempts$/s;
const EXCEPTION_NAME = /^\w+$/;

/** A sentence, or an empty string. */
export function describeJobError({ state, error }) {
  if (!error || state === 'completed') return '';
  return state === 'failed' ? describeFailure(error) : t('jobs.put_off', { reason: error });
}

/** Of `jobs`, newest first: the newest job of each kind, if it failed and is still needed. */
export function listRepeatable(jobs) {
  const newest = jobs.filter((job, index) => jobs.findIndex(({ kind }) => kind === job.kind) === index);
  return newest.filter(({ state, error }) => state === 'failed' && !REPLACED.test(error));
}

function describeFailure(error) {
  const number = REPLACED.exec(error)?.[1];
  if (number) return t('jobs.replaced', { number });
  const [, reason, attempts] = GIVEN_UP.exec(error) ?? [];
  if (attempts) return t('jobs.worn_out', { reason: reason ?? t('jobs.no_answer'), attempts });
  return EXCEPTION_NAME.test(error) ? t('jobs.crashed', { error }) : error;
}
