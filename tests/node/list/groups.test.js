/** Conversations are grouped by the day of their last message. */

import '../texts.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { groupRows } from '../../../web/static/js/list/groups.js';

const NOW = new Date(2025, 2, 20, 12);

function row(updatedAt, pinned = false) {
  return { updated_at: updatedAt, pinned };
}

test('rows are grouped by age, pinned ones first, and keep their order', () => {
  const dates = [
    '2025-03-20T11:00', '2025-03-20T00:00', '2025-03-19T23:59', '2025-03-13T00:00',
    '2025-03-12T23:59', '2025-02-18T00:00', '2025-02-17T23:59', '2024-12-24T12:00',
  ];
  const rows = dates.map((date) => row(date));
  const pinned = row('2024-01-01T12:00', true);
  const groups = groupRows([rows[0], pinned, ...rows.slice(1)], NOW);
  assert.deepEqual(groups, [
    ['Pinned', [pinned]],
    ['Today', rows.slice(0, 2)],
    ['Yesterday', [rows[2]]],
    ['Previous 7 days', [rows[3]]],
    ['Previous 30 days', rows.slice(4, 6)],
    ['February 2025', [rows[6]]],
    ['December 2024', [rows[7]]],
  ]);
});

test('without rows there is no group', () => assert.deepEqual(groupRows([], NOW), []));
