/** What a model writes is shown well, and can do nothing. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { drawMarkdown } from './markdown_drawing.js';

const LISTED = [
  ['# Plan', '<h3>Plan</h3>'],
  ['##### Plan', '<h6>Plan</h6>'],
  ['*a* **b** ~~c~~ `d`', '<p><em>a</em> <strong>b</strong> <del>c</del> <code dir="ltr">d</code></p>'],
  ['one\ntwo', '<p>one<br>two</p>'],
  ['- [x] done\n- [ ] open', '<ul><li>☑ done</li><li>☐ open</li></ul>'],
  ['7. seven\n8. eight', '<ol start="7"><li>seven</li><li>eight</li></ol>'],
  ['> said', '<blockquote><p>said</p></blockquote>'],
  ['a\n\n---\n\nb', '<p>a</p><hr><p>b</p>'],
  ['```js\na < b\n```', '<pre><code class="language-js" dir="ltr">a &lt; b</code></pre>'],
  ['<!-- said -->', '&lt;!-- said --&gt;'],
  ['a <b>c</b> &amp; d', '<p>a &lt;b&gt;c&lt;/b&gt; &amp; d</p>'],
  ['A claim.[^1]\n\n[^1]: Its *source*.', '<p>A claim.<sup>1</sup></p><p><sup>1</sup> Its <em>source</em>.</p>'],
  ['[^a]: https://example.org/a', '<p><sup>a</sup> <a href="https://example.org/a" target="_blank" rel="noopener noreferrer nofollow">https://example.org/a</a></p>'],
  ['So $x_1$.', '<p>So <code class="math" dir="ltr">$x_1$</code>.</p>'],
];

for (const [text, markup] of LISTED) {
  test(`${JSON.stringify(text)} is drawn`, () => {
    assert.equal(drawMarkdown(text).innerHTML.replace(/\n(?=<|$)/g, ''), markup);
  });
}

test('a table stands in a frame that the keyboard reaches', () => {
  const frame = drawMarkdown('| a | b |\n| --- | --: |\n| one | 2 |').firstElementChild;
  assert.deepEqual(frame.getAttributeNames(), ['class', 'tabindex', 'role', 'aria-label']);
  assert.equal(frame.getAttribute('aria-label'), 'Table');
  const cells = [...frame.querySelectorAll('td')];
  assert.deepEqual(cells.map((cell) => [cell.textContent, cell.align]), [['one', ''], ['2', 'right']]);
});

test('links open elsewhere, and pictures become links', () => {
  const root = drawMarkdown('[map](https://example.org/map) and ![plan](https://example.org/p.png)');
  assert.equal(root.querySelector('img'), null);
  const links = [...root.querySelectorAll('a')];
  assert.deepEqual(
    links.map((link) => [link.textContent, link.href, link.target, link.rel]),
    [
      ['map', 'https://example.org/map', '_blank', 'noopener noreferrer nofollow'],
      ['plan', 'https://example.org/p.png', '_blank', 'noopener noreferrer nofollow'],
    ],
  );
});

const HOSTILE = JSON.parse(readFileSync(new URL('../../hostile_texts.json', import.meta.url), 'utf8')).markdown;

for (const text of HOSTILE) {
  test(`${JSON.stringify(text)} is inert`, () => {
    const root = drawMarkdown(`Before.\n\n${text}\n\nAfter.`);
    const names = [...root.querySelectorAll('*')].flatMap((node) => node.getAttributeNames());
    assert.deepEqual(names.filter((name) => !['class', 'dir'].includes(name)), []);
    assert.equal(root.querySelector(':not(p, pre, code, br)'), null);
    assert.match(root.textContent, /^Before\.[^]*After\.\s*$/);
  });
}
