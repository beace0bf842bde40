/** Text that is drawn while it grows: code in one box, whole emoji, closed formulas, and not too often. */

import '../../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { ReplyText } from '../../../../web/static/js/chat/replies/reply_text.js';
import { drawFormulasInText } from '../../../../web/static/js/text/formulas.js';

/** Hands the pieces to a ReplyText, which draws each at once. Returns what `look` returns after each, and the end. */
async function write(context, pieces, look) {
  const root = document.createElement('div');
  const text = new ReplyText(root);
  const { mock } = context.mock.method(globalThis, 'setTimeout', (draw) => void draw());
  const views = pieces.map((piece, index) => {
    text.append(piece);
    return look(root, index);
  });
  mock.restore();
  text.set(text.text, true);
  await new Promise((resolve) => { setImmediate(resolve); });
  return [...views, look(root, pieces.length)];
}

function lookAtBoxes(root) {
  const boxes = [...root.querySelectorAll('.code-frame')];
  return {
    box: boxes[0],
    count: boxes.length,
    label: boxes[0]?.querySelector('.code-bar').textContent,
    code: boxes[0]?.querySelector('code').textContent,
    hasTicks: root.textContent.includes('`'),
  };
}

test('a box is there from the first line on, and is never another', async (context) => {
  const pieces = ['Look:\n`', '``py', 'thon\n', 'def walk():\n', '    return `1`\n`', '``', '\n', 'Good.'];
  const views = await write(context, pieces, lookAtBoxes);
  assert.deepEqual(views.map((view) => view.count), [0, 0, 1, 1, 1, 1, 1, 1, 1]);
  const withBox = views.slice(2);
  assert.deepEqual(new Set(withBox.map((view) => view.box)).size, 1);
  assert.deepEqual(new Set(withBox.map((view) => view.label)), new Set(['python']));
  const [first, second, ...others] = withBox.map((view) => view.code);
  assert.equal(first.trim(), '');
  assert.equal(second, 'def walk():\n');
  assert.deepEqual(new Set(others), new Set(['def walk():\n    return `1`\n']));
  assert.ok(!views.slice(0, 4).some((view) => view.hasTicks));
});

test('code in a list has a box while it is written', async (context) => {
  const views = await write(context, ['1. First\n\n', '   ```sh\n', '   ls\n'], lookAtBoxes);
  assert.deepEqual(views.map((view) => view.count), [0, 1, 1, 1]);
  assert.equal(views.at(-1).code, 'ls\n');
});

for (const end of ['', '\n```', '\n```\n\nAfter.']) {
  test(`code is whole when it ends with ${JSON.stringify(end)}`, async (context) => {
    const views = await write(context, ['```text\na', '\n``x', end], lookAtBoxes);
    assert.equal(views.at(-1).code, 'a\n``x\n');
    assert.equal(views.at(-1).count, 1);
  });
}

test('no node is made for a further line', async (context) => {
  const watch = new MutationObserver(() => {});
  const lines = Array.from({ length: 300 }, (_, number) => `line ${number}\n`);
  const counts = await write(context, ['```\n', 'first\n', ...lines], (root, index) => {
    if (index === 1) watch.observe(root, { childList: true, subtree: true });
    return watch.takeRecords().flatMap((record) => [...record.addedNodes]).length;
  });
  assert.deepEqual(counts.slice(0, -1), Array(302).fill(0));
});

test('code gets its colours once it is finished', async (context) => {
  await import('../../../../web/static/vendor/highlight.js');
  const countColours = (root) => root.querySelectorAll('.hljs-title').length;
  const pieces = ['```python\n', 'def walk():\n', '    return 1\n', '```\n', 'Good.'];
  const counts = await write(context, pieces, countColours);
  assert.deepEqual(counts.slice(0, 4), [0, 0, 0, 0]);
  assert.equal(counts.at(-1), 1);
});

const EMOJI = [
  [['I am 👩', '\u200d👧 here'], ['I am', 'I am 👩\u200d👧 here']],
  [['Good 👍', '🏽', '!'], ['Good', 'Good', 'Good 👍🏽!']],
  [['🇵', '🇹 is'], ['', '🇵🇹 is']],
  [['❤', '\ufe0f', ' and'], ['', '', '❤\ufe0f and']],
  [['Bye 👋'], ['Bye']],
];

for (const [pieces, texts] of EMOJI) {
  test(`no emoji of ${pieces.join('|')} is torn`, async (context) => {
    const views = await write(context, pieces, (root) => root.textContent.trim());
    assert.deepEqual(views, [...texts, pieces.join('')]);
  });
}

test('a formula is text until it is closed, and is then drawn at once', async (context) => {
  const formula = document.createElement('p');
  formula.textContent = '$x$';
  await drawFormulasInText(formula); // loads KaTeX
  const pieces = ['So $x', '^2', '$', ' and', '\n\n$$\n\\frac', '{1}{2}\n', '$$\n', 'Done'];
  const counts = await write(context, pieces, (root) => (
    [root.querySelectorAll('span.math').length, root.querySelectorAll('code').length]));
  assert.deepEqual(counts.map(([drawn]) => drawn), [0, 0, 1, 1, 1, 1, 2, 2, 2]);
  assert.deepEqual(counts.map(([, code]) => code), Array(9).fill(0));
});

const PAUSES = [[1, [40, 40, 40]], [100, [40, 400, 400]], [2000, [40, 8000, 8000]]];

for (const [tookMs, pauses] of PAUSES) {
  test(`what takes ${tookMs} ms to draw is drawn after pauses of ${pauses.join(', ')} ms`, (context) => {
    const text = new ReplyText(document.createElement('div'));
    const pausesMs = [];
    let instant = 0;
    context.mock.method(performance, 'now', () => {
      instant += tookMs;
      return instant;
    });
    context.mock.method(globalThis, 'setTimeout', (draw, pauseMs) => {
      pausesMs.push(pauseMs);
      draw();
    });
    for (const piece of ['- one', '\n- two', '\n- three']) text.append(piece);
    assert.deepEqual(pausesMs, pauses);
  });
}

test('each block is told once, when it cannot grow any more', async () => {
  const blocks = [];
  const text = new ReplyText(document.createElement('div'), (block) => blocks.push(block));
  text.set('One.\n\n*Two*.\n\n```py\nthr');
  assert.deepEqual(blocks, ['One.', 'Two.']);
  text.set('One.\n\n*Two*.\n\n```py\nthree\n```', true);
  assert.deepEqual(blocks, ['One.', 'Two.', 'three']);
});
