/** An error is told in a sentence for the reader. */

import '../texts.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError, createAbortError, describeError, errorFrom, runOrTell } from '../../../web/static/js/api/errors.js';

test('a known code has a text of the page, another one the message of the server', () => {
  const known = new ApiError({ code: 'network', message: 'A server said this.' });
  assert.notEqual(describeError(known), 'A server said this.');
  const unknown = new ApiError({ code: 'odd', message: 'A server said this.' });
  assert.equal(describeError(unknown), 'A server said this.');
  assert.match(describeError(new ApiError({ code: 'odd' })), /odd/);
  const ofField = new ApiError({ code: 'invalid_request', message: 'url: must begin with https://.' });
  assert.equal(describeError(ofField), 'Must begin with https://.');
});

test('an answer that is no JSON has the code of its status', async () => {
  const error = await errorFrom(new Response('<p>', { status: 502, headers: { 'Retry-After': '7' } }));
  assert.deepEqual([error.code, error.status, error.retryAfter], ['http_502', 502, 7]);
});

test('an answer of the API has its code and message', async () => {
  const body = JSON.stringify({ error: { code: 'busy', message: 'Later.' } });
  const error = await errorFrom(new Response(body, { status: 409 }));
  assert.deepEqual([error.code, error.message, error.retryAfter], ['busy', 'Later.', null]);
});

test('what was cancelled is no failure', async () => {
  const failures = [];
  const fail = (error) => () => { throw error; };
  assert.equal(await runOrTell(fail(createAbortError()), (error) => failures.push(error)), false);
  const error = new ApiError({ code: 'odd' });
  assert.equal(await runOrTell(fail(error), (failure) => failures.push(failure)), false);
  assert.equal(await runOrTell(() => {}, (failure) => failures.push(failure)), true);
  assert.deepEqual(failures, [error]);
});
