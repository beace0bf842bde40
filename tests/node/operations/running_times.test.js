/** The lines of the charts that show how long jobs ran. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

// The library of charts needs them while it is loaded. jsdom has no screen.
globalThis.CustomEvent = window.CustomEvent;
globalThis.devicePixelRatio = 1;
globalThis.matchMedia = () => new EventTarget();

const { chartLines } = await import('../../../web/static/operations/running_times.js');

test('an hour without a job of a kind is a gap in its line', () => {
  const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'];
  const steps = [
    { kind: 'facts', since: first, count: 1, average_ms: 500, longest_ms: 900 },
    { kind: 'facts', since: second, count: 3, average_ms: 700, longest_ms: 800 },
    { kind: 'episode', since: second, count: 1, average_ms: 40, longest_ms: 40 },
  ];
  assert.deepEqual(chartLines(steps, 'average_ms'), [
    [1767225600, 1767229200],
    [{ label: 'Facts', values: [0.5, 0.7] }, { label: 'Earlier talk', values: [null, 0.04] }],
  ]);
});
