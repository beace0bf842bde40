/** How the model is given each message of a conversation, as cells of the coverage strip. */

const MAX_SINGLE_CELLS = 120;

/**
 * Cells {first, last, state, isProcessing}, oldest first. The newest 120 messages have a cell each;
 * among the messages before them, neighbours of the same state share one.
 *
 * `memory` is the API's. `lastSequence` includes a round that is in progress.
 */
export function coverageCells(memory, lastSequence) {
  const firstSingle = Math.max(0, lastSequence - MAX_SINGLE_CELLS + 1);
  const cells = [];
  for (let sequence = 0; sequence <= lastSequence; sequence += 1) {
    const state = stateOf(memory, sequence);
    const previous = cells.at(-1);
    if (sequence < firstSingle && previous?.state === state) previous.last = sequence;
    else cells.push({ first: sequence, last: sequence, state, isProcessing: isProcessing(memory, sequence) });
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

function isProcessing({ processing }, sequence) {
  return processing !== null && sequence >= processing.start && sequence <= processing.end;
}

// A message after the last summary is given word for word, however old it is. One that has left the
// window may be in an episode; in any case search finds it.
function stateOf(memory, sequence) {
  if (sequence > memory.last_sequence) return 'current';
  if (memory.summary_end === null || sequence > memory.summary_end) return 'gap';
  if (sequence >= memory.window_start) return 'summarised';
  return isIn(memory.episodes, sequence) ? 'episode' : 'found';
}

function isIn(spans, sequence) {
  return spans.some(({ start, end }) => sequence >= start && sequence <= end);
}
