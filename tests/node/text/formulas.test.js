/** Formulas are drawn; what only looks like one, and TeX without end, is not. */

import '../page.js';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { drawFormulas, drawFormulasInText } from '../../../web/static/js/text/formulas.js';
import { drawMarkdown } from './markdown_drawing.js';

/** [[TeX, whether it stands on a line of its own], …] */
function listDrawn(root) {
  return [...root.querySelectorAll('span.math')].map((node) => (
    [node.querySelector('annotation').textContent.trim(), node.classList.contains('is-displayed')]));
}

async function drawWithFormulas(text) {
  const root = drawMarkdown(text);
  await drawFormulas(root);
  return root;
}

const FORMULAS = [
  ['Take $a_1 * b_2 * c_3$ here.', [['a_1 * b_2 * c_3', false]]],
  ['Take \\(x^2_i\\) and \\(y_i\\).', [['x^2_i', false], ['y_i', false]]],
  ['So $$E = m c^2_0 * k_0$$ holds.', [['E = m c^2_0 * k_0', true]]],
  ['So\n\n$$\na_1 + b_1\n- c_1 < d\n$$\n\nholds.', [['a_1 + b_1\n- c_1 < d', true]]],
  ['\\[\n\\frac{a_1}{b_1}\n\\]', [['\\frac{a_1}{b_1}', true]]],
  ['```math\nx^2\n```\n\nand `$y$`', [['x^2', true]]],
  ['$\\fcolorbox{red}{yellow}{A}$', [['\\fcolorbox{red}{yellow}{A}', false]]],
  ['It costs $5, or $10 for two, $7 or more in US$.', []],
  ['`$a_1$` and $HOME/$USER, ```$b$``` and $$', []],
  ['```\n$a$\n```\n\n    $b$', []],
  ['\\$a$ and $ b $ and $c', []],
];

for (const [text, formulas] of FORMULAS) {
  test(`${JSON.stringify(text)} has ${formulas.length} formulas`, async () => {
    assert.deepEqual(listDrawn(await drawWithFormulas(text)), formulas);
  });
}

test('what is no TeX stays as it was written', async () => {
  const root = await drawWithFormulas('bad $\\frac{1$ and $<img src=x onerror=alert(1)>\\frac$ and $\\unknown$');
  assert.deepEqual(listDrawn(root), []);
  assert.deepEqual(
    [...root.querySelectorAll('code.math')].map((node) => node.textContent),
    ['$\\frac{1$', '$<img src=x onerror=alert(1)>\\frac$', '$\\unknown$'],
  );
});

test('the formulas of a plain text are drawn, and nothing else of it is changed', async () => {
  const message = document.createElement('p');
  message.textContent = 'Is $x^2$ more than `$y$`,\nfor $5 or **this**?\n$$\\int_0^1 x\\,dx$$\n\nThanks';
  await drawFormulasInText(message);
  assert.deepEqual(listDrawn(message), [['x^2', false], ['\\int_0^1 x\\,dx', true]]);
  for (const formula of message.querySelectorAll('.math')) formula.remove();
  assert.equal(message.innerHTML, 'Is  more than `$y$`,\nfor $5 or **this**?\nThanks');
});

const ENDLESS = [
  '$\\def\\a{\\a\\a}\\a$',
  '$\\def\\b#1{\\b{#1#1}}\\b{x}$'.repeat(50),
  `$${'\\frac{1}{'.repeat(200)}x${'}'.repeat(200)}$`,
  `$$${'{'.repeat(900)}${'}'.repeat(900)}$$`,
  `$\\left(${'\\left('.repeat(150)}${'\\right)'.repeat(150)}\\right)$`,
  `$$${'\\begin{matrix}'.repeat(70)}${'\\end{matrix}'.repeat(70)}$$`,
];

for (const text of ENDLESS) {
  test(`${text.slice(0, 20)} without end is not drawn`, async () => {
    assert.deepEqual(listDrawn(await drawWithFormulas(text)), []);
  });
}

test('of one message, only so many formulas are drawn', async () => {
  const formulas = Array.from({ length: 1500 }, (_, number) => `$a_{${number}}$`);
  const root = await drawWithFormulas(formulas.join('\n\n'));
  const { length } = listDrawn(root);
  assert.ok(length > 700 && length < 1100);
  assert.equal(root.querySelectorAll('.math').length, 1500);
});

const HOSTILE = JSON.parse(readFileSync(new URL('../../hostile_texts.json', import.meta.url), 'utf8')).formulas;

for (const text of HOSTILE) {
  test(`${text} is inert`, async () => {
    const root = await drawWithFormulas(`Before.\n\n${text}\n\nAfter.`);
    const markup = 'a, img, iframe, script, style, form, [onerror], [id], [data-markdown], .composer, math [style]';
    assert.equal(root.querySelector(markup), null);
    assert.doesNotMatch([...root.querySelectorAll('[style]')].map((node) => node.style.cssText).join(), /url|fixed/);
  });
}
