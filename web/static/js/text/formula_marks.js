/** Finds the formulas in a plain text, such as a user's message. What stands in backticks is code. */

import { MAX_FORMULA_CHARS, readInlineFormula } from './markdown_syntax.js';

const OPENING = /`+|\\?\$|\\[([]/g;
const MAX_OPENINGS = 2_000; // further ones are not tried, because each try may read far ahead

/** Puts each formula of an element that has only text into a `code.math`, as `renderBlock` does. */
export function markFormulas(element) {
  element.replaceChildren(...splitFormulas(element.textContent).map(toNode));
}

/** The parts of a text, in order: `{text, isFormula}`. */
export function splitFormulas(text) {
  const parts = [];
  let partStart = 0;
  for (const { start, end } of findFormulas(text)) {
    if (start > partStart) parts.push({ text: text.slice(partStart, start), isFormula: false });
    parts.push({ text: text.slice(start, end), isFormula: true });
    partStart = end;
  }
  if (partStart < text.length) parts.push({ text: text.slice(partStart), isFormula: false });
  return parts;
}

function* findFormulas(text) {
  const openings = new RegExp(OPENING);
  for (let tries = 0; tries < MAX_OPENINGS; tries += 1) {
    const opening = openings.exec(text);
    if (!opening) return;
    const start = opening.index;
    if (opening[0].startsWith('`')) {
      openings.lastIndex = endOfCode(text, start, opening[0]);
    } else if (opening[0] !== '\\$') {
      const formula = readInlineFormula(text.slice(start, start + MAX_FORMULA_CHARS));
      if (formula) yield withLineBreaks(text, start, start + formula.length);
      if (formula) openings.lastIndex = start + formula.length;
    }
  }
}

/** A displayed formula stands on a line of its own, so the line breaks around it belong to it. */
function withLineBreaks(text, start, end) {
  if (!text.startsWith('$$', start) && !text.startsWith('\\[', start)) return { start, end };
  return { start: text[start - 1] === '\n' ? start - 1 : start, end: text[end] === '\n' ? end + 1 : end };
}

/** The index behind the code, or behind the backticks where nothing closes them. */
function endOfCode(text, start, ticks) {
  const end = text.indexOf(ticks, start + ticks.length);
  return (end < 0 ? start : end) + ticks.length;
}

function toNode({ text, isFormula }) {
  if (!isFormula) return document.createTextNode(text);
  const place = document.createElement('code');
  place.className = 'math';
  place.textContent = text;
  return place;
}
