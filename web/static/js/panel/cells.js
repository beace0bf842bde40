/** What each message of a conversation is to the model, as cells of the coverage strip. */

const MAX_CELLS = 120;

/**
 * Cells {first, last, state, isProcessing}, oldest first. Each is one message, but of a long
 * conversation the messages before the newest 120 are drawn as one cell a state.
 *
 * `memory` is the API's; `lastSequence` includes a round that is still being answered.
 */
export function coverageCells(memory, lastSequence) {
  const firstSingle = Math.max(0, lastSequence - MAX_CELLS + 1);
  const cells = [];
  for (let sequence = 0; sequence <= lastSequence; sequence++) {
    const cell = { first: sequence, last: sequence, ...describe(memory, sequence) };
    const before = cells.at(-1);
    if (sequence < firstSingle && before?.state === cell.state) before.last = sequence;
    else cells.push(cell);
  }
  return cells;
}

/** [[state, number of messages], …] in the order of first appearance. */
export function countStates(cells) {
  const counts = new Map();
  for (const { state, first, last } of cells) {
    counts.set(state, (counts.get(state) ?? 0) + last - first + 1);
  }
  return [...counts];
}

function describe(memory, sequence) {
  const { processing } = memory;
  const isProcessing = processing !== null && sequence >= processing.start && sequence <= processing.end;
  return { state: stateOf(memory, sequence), isProcessing };
}

// A message in the gap is never dropped, however old: it is given until a summary covers it.
function stateOf(memory, sequence) {
  if (sequence > memory.last_sequence) return 'current';
  if (memory.summary_end === null || sequence > memory.summary_end) return 'gap';
  return sequence < memory.window_start ? 'dropped' : 'summarised';
}
