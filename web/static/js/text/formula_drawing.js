/**
 * Draws formulas with KaTeX, as boxes for the eye and as MathML for screen readers. KaTeX makes nodes
 * itself, so no formula becomes markup, and it sets their styles one by one, which the Content
 * Security Policy allows; only `style` attributes are forbidden.
 */

import katex from '../../vendor/katex/katex.js';

// What is beyond these limits stays as it was written. Time grows with them, and no formula that is
// meant to be read comes near.
const MAX_COST = 25_000; // of one message: characters, and `COST` for each formula
const COST = 20;
const MAX_DEPTH = 20; // of groups within one another
const OPENING_OR_CLOSING = /\\(?:left|begin|right|end)\b|\\.|[{}]/gs;
const DEFINITION = /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)(?![a-zA-Z])/;
const DELIMITED = /^(?:\$\$([^]*)\$\$|\\\[([^]*)\\\]|`{3,}math[ \t]*\n([^]*)\n *`{3,}|\\\(([^]*)\\\)|\$([^]*)\$)$/;
const OPTIONS = {
  maxExpand: 200, // of macros
  maxSize: 30, // em
  strict: 'ignore', // otherwise KaTeX writes warnings to the console
  trust: false, // no links, images, classes or data of the formula's own
};
// KaTeX would write a `style` attribute into the MathML of these two.
const WITHOUT_STYLE = {
  '\\pmb': '\\boldsymbol{#1}',
  '\\fcolorbox': '\\@secondoftwo{#1}{\\fbox{\\colorbox{#2}{#3}}}',
};

// What is too wide can be scrolled, so the keyboard must reach it.
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
  }
});
const costs = new WeakMap(); // by element, of what was tried

/** Draws the formulas below `root`, a message. Those that were drawn before are left alone. */
export function drawAll(root) {
  let left = MAX_COST;
  for (const place of root.querySelectorAll('.math')) {
    const cost = costs.get(place) ?? place.textContent.length + COST;
    left -= cost;
    if (left < 0) return;
    if (!costs.has(place)) costs.set(drawOne(place), cost);
  }
}

/** Gets formulas ready to be drawn. Resolves when KaTeX's styles are there, or cannot be had. */
export function prepareFormulas() {
  document.addEventListener('copy', copyFormulas);
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = new URL('../../vendor/katex/katex.css', import.meta.url).href;
  const loaded = new Promise((resolve) => {
    link.onload = resolve;
    link.onerror = resolve;
  });
  document.head.append(link);
  return loaded;
}

/** Returns the element that stands there then. */
function drawOne(place) {
  const captures = DELIMITED.exec(place.textContent.trim()).slice(1);
  const index = captures.findIndex((tex) => tex != null);
  const isDisplayed = index < 3;
  const drawn = document.createElement('span');
  drawn.className = isDisplayed ? 'math is-displayed' : 'math';
  drawn.dir = 'ltr';
  try {
    render(captures[index], drawn, isDisplayed);
  } catch {
    return place;
  }
  place.replaceWith(drawn);
  const scroller = isDisplayed ? drawn : drawn.closest('.block, .message-body, .said');
  if (scroller) widths.observe(scroller);
  return drawn;
}

function render(tex, element, isDisplayed) {
  if (DEFINITION.test(tex) || depthOf(tex) > MAX_DEPTH) throw new RangeError('too much work');
  katex.render(tex, element, { ...OPTIONS, displayMode: isDisplayed, macros: { ...WITHOUT_STYLE } });
}

function depthOf(tex) {
  let depth = 0;
  let deepest = 0;
  for (const [sign] of tex.matchAll(OPENING_OR_CLOSING)) {
    if (sign === '{' || sign === '\\left' || sign === '\\begin') depth += 1;
    if (sign === '}' || sign === '\\right' || sign === '\\end') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Selected text goes to the clipboard with each formula as TeX, since its boxes are no text. */
function copyFormulas(event) {
  const range = selectedRange();
  if (!range) return;
  const copy = elementOf(range.commonAncestorContainer).cloneNode(false);
  copy.append(range.cloneContents());
  const formulas = copy.querySelectorAll('.math:has(annotation)');
  if (!formulas.length) return;
  for (const formula of formulas) formula.replaceWith(sourceOf(formula));
  event.clipboardData.setData('text/plain', textOf(copy, range));
  event.preventDefault();
}

/** What is selected, with whole formulas; null if nothing is. */
function selectedRange() {
  const selection = getSelection();
  if (selection.isCollapsed) return null;
  const range = selection.getRangeAt(0).cloneRange();
  const first = elementOf(range.startContainer).closest('.math');
  const last = elementOf(range.endContainer).closest('.math');
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);
  return range;
}

function elementOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
}

function sourceOf(formula) {
  const tex = formula.querySelector('annotation').textContent;
  return formula.classList.contains('is-displayed') ? `$$${tex}$$` : `$${tex}$`;
}

/** The text with its lines and paragraphs. A browser knows these of what is on the page only. */
function textOf(copy, range) {
  elementOf(range.commonAncestorContainer).after(copy);
  const text = copy.innerText;
  copy.remove();
  return text;
}
