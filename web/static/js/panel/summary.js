/** The newest rolling summary, point by point; each leads to the messages that it comes from. */

import { el } from '../element.js';
import { rangeText } from '../links.js';
import { t } from '../texts.js';
import { duration, timeOf } from '../times.js';
import { createSection } from './section.js';

/** `reveal(sequence)` brings a message into view. */
export function createSummary({ reveal }) {
  const body = el('div', {});
  return {
    element: createSection('summary', body),
    show({ memory }) {
      const [newest, ...earlier] = memory.rows.filter((row) => row.status === 'completed');
      if (newest) body.replaceChildren(...drawSummary(newest, reveal), ...drawHistory(earlier, memory.rows));
      else body.replaceChildren(el('p', { class: 'none' }, t('summary.none')));
    },
  };
}

function drawSummary(row, reveal) {
  const points = row.points?.length
    ? row.points
    : [{ text: row.memory_text, first: row.start_sequence, last: row.end_sequence }];
  return [
    el('p', { class: 'about' }, madeText(row)),
    ...(row.is_fallback ? [el('p', { class: 'about' }, t('summary.fallback'))] : []),
    el('ol', { class: 'points' }, ...points.map((point) => drawPoint(point, reveal))),
  ];
}

function drawPoint({ text, first, last }, reveal) {
  const range = rangeText(first, last);
  const title = t('place.go', { first });
  const button = el('button', { type: 'button', class: 'range', title, 'aria-label': `${range}. ${title}` }, range);
  button.addEventListener('click', () => reveal(first));
  return el('li', { class: 'point' }, el('span', {}, text), button);
}

function madeText(row) {
  const values = { ...rangeOf(row), time: timeOf(row.finished_at ?? row.created_at) };
  if (row.generation_time_ms == null) return t('summary.made', values);
  return t('summary.made_in', { ...values, duration: duration(row.generation_time_ms) });
}

function drawHistory(earlier, rows) {
  if (!earlier.length) return [];
  const items = earlier.map((row) => el('li', {}, historyText(row, rows)));
  return [el('details', {}, el('summary', {}, t('summary.history')), el('ul', { class: 'history' }, ...items))];
}

function historyText(row, rows) {
  const base = rows.find((other) => other.memory_id === row.base_memory_id);
  const text = t('summary.history_row', rangeOf(row));
  return base ? `${text}, ${t('summary.history_base', rangeOf(base))}` : text;
}

function rangeOf(row) {
  return { first: row.start_sequence, last: row.end_sequence };
}
