/** Events are read from a stream as the standard says. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { parseEvent, serverEvents } from '../../../web/static/js/api/server_events.js';

const BLOCKS = [
  ['id: 7-3\nevent: delta\ndata: {"text":"a"}', { id: '7-3', name: 'delta', data: { text: 'a' } }],
  ['data: {"a":\ndata: 1}', { id: undefined, name: 'message', data: { a: 1 } }],
  ['event:done\ndata:{"x":": "}', { id: undefined, name: 'done', data: { x: ': ' } }],
  [': ping', null],
  ['id: 7-3', null],
];

for (const [block, event] of BLOCKS) {
  test(`${JSON.stringify(block)} is read`, () => assert.deepEqual(parseEvent(block), event));
}

const STREAM = ': ping\n\ndata: {"text":"Grüße 🌊"}\r\n\r\ndata: {"text":"zwei"}\n\ndata: {"text":"cut';

for (const size of [1, 2, 7, STREAM.length * 2]) {
  test(`events are whole when their bytes come ${size} at a time`, async () => {
    const bytes = new TextEncoder().encode(STREAM);
    const body = new ReadableStream({
      start(controller) {
        for (let start = 0; start < bytes.length; start += size) {
          controller.enqueue(bytes.slice(start, start + size));
        }
        controller.close();
      },
    });
    const texts = [];
    for await (const { data } of serverEvents({ body })) texts.push(data.text);
    assert.deepEqual(texts, ['Grüße 🌊', 'zwei']);
  });
}
