/** What a frame answers is trusted in nothing, and frames draw one after the other. */

import '../../../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { draw } from '../../../../../web/static/js/chat/replies/diagrams/drawing.js';

/** Lets each frame that is put into the page answer by its port, as the function says. */
function answerFrames(context, answer) {
  const watch = new MutationObserver((records) => {
    for (const frame of records.flatMap((record) => [...record.addedNodes])) {
      const window = { postMessage: (diagram, _, [port]) => answer(port, diagram) };
      Object.defineProperty(frame, 'contentWindow', { value: window });
      frame.dispatchEvent(new Event('load'));
    }
  });
  watch.observe(document.body, { childList: true });
  context.after(() => watch.disconnect());
}

const WHOLE = { svg: '<svg/>', width: 2, height: 1, words: 'Ask' };
const MISTAKE = { problem: 'mistake' };
const ANSWERS = [
  [WHOLE, WHOLE],
  [null, MISTAKE],
  [7, MISTAKE],
  [{}, MISTAKE],
  [{ ...WHOLE, svg: 7 }, MISTAKE],
  [{ ...WHOLE, width: '1 onload' }, MISTAKE],
  [{ ...WHOLE, width: '1' }, MISTAKE],
  [{ ...WHOLE, width: -1 }, MISTAKE],
  [{ ...WHOLE, width: NaN, height: Infinity }, MISTAKE],
  [{ ...WHOLE, words: undefined }, MISTAKE],
  [{ ...WHOLE, width: 1e9 }, { problem: 'too_large' }],
  [{ ...WHOLE, svg: ' '.repeat(2_000_001) }, { problem: 'too_large' }],
  [{ problem: '<b>' }, MISTAKE],
  [{ problem: 'unreachable' }, { problem: 'unreachable' }],
  [{ ...WHOLE, words: 'word '.repeat(100) }, { ...WHOLE, words: 'word '.repeat(60) }],
  [{ ...WHOLE, more: 'than this' }, WHOLE],
];

test('what a frame answers is checked', { timeout: 60_000 }, async (context) => {
  const answers = ANSWERS.map(([answer]) => answer);
  answerFrames(context, (port) => port.postMessage(answers.shift()));
  context.mock.method(globalThis, 'setTimeout', () => {}); // no frame is slow
  const results = await Promise.all(ANSWERS.map((_, number) => draw(`${number}`, 'light')));
  assert.deepEqual(results, ANSWERS.map(([, result]) => result));
  assert.equal(document.querySelector('iframe'), null);
});
