/** The versions of a conversation's rolling summary: each on its base, and how the window went on. */

import { el } from '../js/element.js';
import { rangeText } from '../js/links.js';
import { formatNumber, t } from '../js/texts.js';
import { duration, timeElement } from '../js/times.js';
import { createChart } from './chart.js';
import { createSection, createTable } from './section.js';

/** `changed()`: another conversation is asked for. */
export function createVersions({ changed }) {
  const listed = el('datalist', { id: 'conversations' });
  const input = el('input', { id: 'conversation', list: listed.id, autocomplete: 'off', spellcheck: 'false', onchange: changed });
  const label = el('label', { for: input.id }, t('operations.versions.conversation'));
  const shown = el('p', { class: 'about' });
  const chart = createChart(t('operations.versions.window'), { isBand: true });
  const table = createTable('versions', ['version', 'base', 'messages', 'status', 'took', 'tries', 'since']);
  return {
    element: createSection('versions', label, input, listed, shown, chart.element, table.element),
    asked: () => input.value.trim() || null,
    show({ conversations, chain }) {
      listed.replaceChildren(...conversations.map((id) => el('option', { value: id })));
      shown.textContent = chain.conversation_id ? t('operations.versions.of', { id: chain.conversation_id }) : '';
      table.show(chain.versions.map(drawVersion));
      const [numbers, lines] = asWindow(chain.versions);
      chart.show(numbers, [1, Math.max(2, numbers.length)], lines);
    },
  };
}

function drawVersion(row) {
  return [
    `${row.memory_id}`,
    row.base_memory_id === null ? '–' : `${row.base_memory_id}`,
    rangeText(row.start_sequence, row.end_sequence),
    t(`operations.status.${row.status}`),
    row.generation_time_ms === null ? '–' : duration(row.generation_time_ms),
    formatNumber(row.attempts),
    timeElement(row.created_at),
  ];
}

/** Of the completed versions, oldest first: [their numbers in the chain, lines of end and start]. */
export function asWindow(versions) {
  const completed = versions.filter(({ status }) => status === 'completed').reverse();
  const line = (label, column) => ({ label: t(label), values: completed.map((row) => row[column]) });
  return [completed.map((_, place) => place + 1), [
    line('operations.versions.end', 'end_sequence'),
    line('operations.versions.start', 'start_sequence'),
  ]];
}
