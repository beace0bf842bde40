/** Why a job is not done, and which jobs may run again. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { describeJobError, listRepeatable } = await import('../../../web/static/js/panel/job_errors.js');

const SENTENCES = [
  ['completed', 'left over', ''],
  ['queued', null, ''],
  ['queued', 'Away.', 'It will be tried again. Away.'],
  ['failed', 'The key is wrong.', 'The key is wrong.'],
  ['failed', 'message 4 was replaced', 'Message 4 was replaced meanwhile, so this was thrown away.'],
  ['failed', 'Away.; gave up after 5 attempts', 'Given up after 5 tries. Away.'],
  ['failed', 'gave up after 5 attempts', 'Given up after 5 tries. Each time it was interrupted before it was done.'],
  ['failed', 'KeyError', 'Something went wrong on the server (KeyError). It has been logged.'],
];

for (const [state, error, sentence] of SENTENCES) {
  test(`why a job is not done is said in a sentence: ${state}, ${error}`, () => {
    assert.equal(describeJobError({ kind: 'facts', state, error }), sentence);
  });
}

test('only the newest of a kind may run again', () => {
  const jobs = [
    { kind: 'summary', state: 'completed', error: null },
    { kind: 'facts', state: 'failed', error: 'Away.' },
    { kind: 'summary', state: 'failed', error: 'Away.' },
    { kind: 'facts', state: 'failed', error: 'Away.' },
    { kind: 'title', state: 'failed', error: 'message 0 was replaced' },
  ];
  assert.deepEqual(listRepeatable(jobs), [jobs[1]]);
});
