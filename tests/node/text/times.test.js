/** Instants are told in the reader's own day. */

import '../texts.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { regionalOf } from '../../../web/static/js/text/texts.js';
import {
  daysBetween, formatDay, formatDuration, formatLastDay, formatSpan, formatTime,
} from '../../../web/static/js/text/times.js';

const NOW = new Date(2025, 2, 20, 12); // a Thursday

const DAYS = [
  ['2025-03-20T00:00', 'Today'],
  ['2025-03-19T23:59', 'Yesterday'],
  ['2025-03-18T12:00', 'Tuesday'],
  ['2025-03-14T00:00', 'Friday'],
  ['2025-03-13T23:59', 'March 13'],
  ['2024-12-31T12:00', 'December 31, 2024'],
  ['2025-03-21T00:00', 'March 21'],
];

for (const [instant, day] of DAYS) {
  test(`${instant} is told as ${day}`, () => assert.equal(formatDay(instant, NOW), day));
}

test('a last day is told by its weekday within the next week', () => {
  assert.equal(formatLastDay('2025-03-20T12:00', NOW), 'today');
  assert.equal(formatLastDay('2025-03-21T12:00', NOW), 'Friday');
  assert.equal(formatLastDay('2025-03-27T12:00', NOW), 'March 27, 2025');
  assert.equal(formatLastDay('2025-03-19T12:00', NOW), 'March 19, 2025');
});

test('a time of today has no day', () => {
  assert.equal(formatTime('2025-03-20T09:05', NOW), '09:05');
  assert.equal(formatTime('2025-03-19T09:05', NOW), 'Yesterday, 09:05');
});

test('a span tells its day once', () => {
  assert.equal(formatSpan('2025-03-12T14:02', '2025-03-12T14:20', NOW), 'March 12, 14:02 – 14:20');
  assert.equal(formatSpan('2025-03-12T14:02', '2025-03-13T09:00', NOW), 'March 12, 14:02 – March 13, 09:00');
  assert.equal(formatSpan('2025-03-12T14:02', '2025-03-12T14:02:30', NOW), 'March 12, 14:02');
});

test('midnights are counted, not hours', () => {
  assert.equal(daysBetween(new Date(2025, 2, 19, 23, 59), new Date(2025, 2, 20, 0, 1)), 1);
  assert.equal(daysBetween(new Date(2025, 2, 20, 0, 1), new Date(2025, 2, 20, 23, 59)), 0);
  assert.equal(daysBetween(new Date(2025, 2, 29), new Date(2025, 2, 31)), 2);
});

test('dates are written as in the region of the reader', () => {
  assert.equal(regionalOf('en', ['de-CH', 'en-GB', 'en-US']), 'en-GB');
  assert.equal(regionalOf('ar', ['en-GB']), 'ar');
});

test('a duration is told in milliseconds below a second', () => {
  assert.equal(formatDuration(999), '999 ms');
  assert.equal(formatDuration(1000), '1.0 s');
});
