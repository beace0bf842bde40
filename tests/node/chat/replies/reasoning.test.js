/** The reasoning above a reply: what came is kept, and all else is read where the reader wants it. */

import '../../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { Reasoning } = await import('../../../../web/static/js/chat/replies/reasoning.js');

/** A fold whose trace has these texts, one after the other; null is one that is gone. */
function createFold(...texts) {
  const fold = new Reasoning(async () => {
    const text = texts.shift();
    return text === null ? {} : { reasoning: { text } };
  });
  const [label, body] = fold.element.children;
  return { fold, label, body, element: fold.element };
}

async function open({ element }) {
  element.open = true;
  element.dispatchEvent(new Event('toggle'));
  await new Promise((resolve) => { setTimeout(resolve); });
}

test('what comes is shown, timed by the server, and not read again', async () => {
  const shown = createFold();
  shown.fold.begin();
  shown.fold.append({ text: 'They ', ms: 10 });
  assert.deepEqual([shown.element.hidden, shown.label.textContent], [false, 'Thinking …']);
  await open(shown);
  shown.fold.append({ text: 'greet.', ms: 12_300 });
  shown.fold.end();
  assert.equal(shown.label.textContent, 'Thought for 12 s');
  shown.fold.settle(14_100);
  shown.fold.settle(14_100, 2); // read again, as the second variant
  assert.deepEqual([shown.label.textContent, shown.body.textContent], ['Thought for 14 s', 'They greet.']);
});

test('after a lost connection it comes once more, not twice', () => {
  const { fold, body } = createFold();
  for (let connection = 0; connection < 2; connection += 1) {
    fold.begin();
    fold.append({ text: 'They greet.', ms: 10 });
  }
  assert.equal(body.textContent, 'They greet.');
});

test('that of an older reply is read when it is opened, and another variant has its own', async () => {
  const shown = createFold('The first.', 'The second.');
  shown.fold.settle(400, 1);
  assert.deepEqual([shown.label.textContent, shown.body.textContent], ['Thought for a moment', '']);
  await open(shown);
  assert.equal(shown.body.textContent, 'The first.');
  shown.fold.settle(400, 2);
  await open(shown);
  assert.equal(shown.body.textContent, 'The second.');
});

test('a reply without it has no fold', () => {
  const shown = createFold();
  shown.fold.settle(null, 1);
  assert.equal(shown.element.hidden, true);
});

test('what was deleted meanwhile is said to be gone', async () => {
  const shown = createFold('The first.', null);
  shown.fold.settle(400, 1);
  await open(shown);
  shown.fold.forget();
  await open(shown);
  assert.equal(shown.body.textContent, 'What the model thought is no longer kept.');
});
