/** Cells say what each message of a conversation is to the model. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { countStates, coverageCells } from '../../../web/static/js/panel/coverage_cells.js';

const MEMORY = {
  last_sequence: 9,
  window_start: 4,
  summary_end: 7,
  processing: null,
  episodes: [{ start: 1, end: 2 }],
};

function listStates(cells) {
  return cells.map(({ first, last, state }) => [first, last, state]);
}

test('cells say what each message is to the model', () => {
  assert.deepEqual(listStates(coverageCells(MEMORY, 11)), [
    [0, 0, 'found'],
    [1, 1, 'episode'],
    [2, 2, 'episode'],
    [3, 3, 'found'],
    ...[4, 5, 6, 7].map((number) => [number, number, 'summarised']),
    ...[8, 9].map((number) => [number, number, 'gap']),
    ...[10, 11].map((number) => [number, number, 'current']),
  ]);
});

test('without a summary all is gap', () => {
  const cells = coverageCells({ ...MEMORY, summary_end: null }, 9);
  assert.deepEqual(new Set(cells.map((cell) => cell.state)), new Set(['gap']));
});

test('a gap that is older than the window is still given', () => {
  const cells = coverageCells({ ...MEMORY, summary_end: 1 }, 9);
  assert.deepEqual(listStates(cells)[2], [2, 2, 'gap']);
});

test('cells under way are marked', () => {
  const cells = coverageCells({ ...MEMORY, processing: { start: 8, end: 9 } }, 9);
  assert.deepEqual(cells.filter((cell) => cell.isProcessing).map((cell) => cell.first), [8, 9]);
});

test('long conversations are drawn in few cells', () => {
  const memory = {
    last_sequence: 999,
    window_start: 986,
    summary_end: 999,
    processing: null,
    episodes: [{ start: 0, end: 899 }],
  };
  const cells = coverageCells(memory, 999);
  assert.deepEqual(listStates(cells)[0], [0, 879, 'episode']);
  assert.equal(cells.length, 121);
  assert.deepEqual(countStates(cells), [['episode', 900], ['found', 86], ['summarised', 14]]);
});
