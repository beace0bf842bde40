/** The newest rolling summary. Each of its points leads to the messages that it comes from. */

import { el } from '../page/element.js';
import { formatRange, t } from '../text/texts.js';
import { formatTime } from '../text/times.js';
import { createSection } from './parts.js';

/** `reveal(sequence)` scrolls to a message. */
export function createSummary({ reveal }) {
  const body = el('div', {});
  return {
    kind: 'summaries',
    element: createSection('summary', body),
    show({ memory }) {
      const [newest, ...earlier] = memory.rows.filter((row) => row.status === 'completed');
      if (newest) body.replaceChildren(...drawSummary(newest, reveal), ...drawHistory(earlier, memory.rows));
      else body.replaceChildren(el('p', { class: 'none' }, t('summary.none')));
    },
  };
}

function drawSummary(row, reveal) {
  const wholeText = { text: row.memory_text, first: row.start_sequence, last: row.end_sequence };
  const points = row.points?.length ? row.points : [wholeText];
  return [
    el('p', { class: 'about' }, describeOrigin(row)),
    row.is_fallback && el('p', { class: 'about' }, t('summary.fallback')),
    el('ol', { class: 'points' }, ...points.map((point) => drawPoint(point, reveal))),
  ].filter(Boolean);
}

function drawPoint({ text, first, last }, reveal) {
  const range = formatRange(first, last);
  const title = t('place.go', { first });
  const attributes = { type: 'button', class: 'range', title, 'aria-label': `${range}. ${title}` };
  const button = el('button', { ...attributes, onclick: () => reveal(first) }, range);
  return el('li', { class: 'point' }, el('span', { dir: 'auto' }, text), button);
}

function describeOrigin(row) {
  return t('summary.made', { ...rangeOf(row), time: formatTime(row.finished_at ?? row.created_at) });
}

function drawHistory(earlier, rows) {
  if (!earlier.length) return [];
  const items = earlier.map((row) => el('li', {}, describeVersion(row, rows)));
  return [el('details', {}, el('summary', {}, t('summary.history')), el('ul', { class: 'history' }, ...items))];
}

function describeVersion(row, rows) {
  const base = rows.find((other) => other.memory_id === row.base_memory_id);
  const text = t('summary.history_row', rangeOf(row));
  return base ? `${text}, ${t('summary.history_base', rangeOf(base))}` : text;
}

function rangeOf(row) {
  return { first: row.start_sequence, last: row.end_sequence };
}
