/** Requests go with where the browser is, and what goes wrong becomes an error with a code. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { getJson, postOnce, sendJson } from '../../../web/static/js/api/http.js';

process.env.TZ = 'Asia/Tokyo';

/** Lets the server answer every request with this. Returns the list of requests. */
function answerRequests(context, answer) {
  const requests = [];
  context.mock.method(globalThis, 'fetch', async (path, options) => {
    requests.push({ path, ...options });
    return answer();
  });
  return requests;
}

test("the browser's time zone goes with what is sent", async (context) => {
  const requests = answerRequests(context, () => Response.json({}));
  await sendJson('PATCH', '/api/v1/x', { a: 1 });
  await postOnce('/chat', { message: 'Hello' }, { key: 'k1' });
  assert.deepEqual(requests.map(({ method, body, headers }) => [method, body, headers]), [
    ['PATCH', '{"a":1}', { 'Content-Type': 'application/json', 'X-Time-Zone': 'Asia/Tokyo' }],
    ['POST', '{"message":"Hello"}', {
      'Content-Type': 'application/json', 'X-Time-Zone': 'Asia/Tokyo', 'Idempotency-Key': 'k1',
    }],
  ]);
});

test('parameters without a value are left out', async (context) => {
  const requests = answerRequests(context, () => Response.json({ a: 1 }));
  assert.deepEqual(await getJson('/api/v1/x', { before: null, folder: '', limit: 3, mode: undefined }), { a: 1 });
  await getJson('/api/v1/x');
  assert.deepEqual(requests.map(({ path }) => path), ['/api/v1/x?folder=&limit=3', '/api/v1/x']);
});

test('an answer that is an error is thrown, and so is none', async (context) => {
  answerRequests(context, () => Response.json({ error: { code: 'busy' } }, { status: 409 }));
  await assert.rejects(getJson('/api/v1/x'), { code: 'busy', status: 409 });
  answerRequests(context, () => { throw new TypeError('no connection'); });
  await assert.rejects(getJson('/api/v1/x'), { code: 'network' });
  answerRequests(context, () => { throw new DOMException('', 'AbortError'); });
  await assert.rejects(getJson('/api/v1/x'), { name: 'AbortError' });
});
