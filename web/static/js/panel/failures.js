/** What is to be said of jobs that are not done, and which of them may be run again. */

import { t } from '../texts.js';

// The server's words, see shared/store/claims.py and shared/derivations/work.py.
const REPLACED = /^message (\d+) was replaced$/;
const WORN_OUT = /^(?:(.*); )?gave up after (\d+) attempts$/s;
const CRASHED = /^\w+$/;

/** A sentence, or nothing. */
export function whyNotDone({ state, error }) {
  if (!error || state === 'completed') return '';
  return state === 'failed' ? whyFailed(error) : t('jobs.put_off', { reason: error });
}

/** Of `jobs`, newest first: each kind's newest where it failed and is still wanted. */
export function listRepeatable(jobs) {
  const newest = jobs.filter((job, place) => jobs.findIndex(({ kind }) => kind === job.kind) === place);
  return newest.filter(({ state, error }) => state === 'failed' && !REPLACED.test(error));
}

function whyFailed(error) {
  const [, number] = REPLACED.exec(error) ?? [];
  if (number) return t('jobs.replaced', { number });
  const [, reason, attempts] = WORN_OUT.exec(error) ?? [];
  if (attempts) return t('jobs.worn_out', { reason: reason ?? t('jobs.no_answer'), attempts });
  return CRASHED.test(error) ? t('jobs.crashed', { error }) : error;
}
