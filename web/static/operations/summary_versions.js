/** The versions of a conversation's rolling summary, and how its window has moved. */

import { el, timeElement } from '../js/page/element.js';
import { formatNumber, formatRange, t } from '../js/text/texts.js';
import { formatDuration } from '../js/text/times.js';
import { createChart } from './chart.js';
import { createSection, createTable } from './section.js';

/** `onChange()` is called when the operator asks for another conversation. */
export function createSummaryVersions({ onChange }) {
  const suggestions = el('datalist', { id: 'conversations' });
  const plainText = { autocomplete: 'off', spellcheck: 'false' };
  const input = el('input', { id: 'conversation', list: suggestions.id, ...plainText, onchange: onChange });
  const label = el('label', { for: input.id }, t('operations.versions.conversation'));
  const shown = el('p', { class: 'about' });
  const chart = createChart(t('operations.versions.window'), { isBand: true });
  const table = createTable('versions', ['version', 'base', 'messages', 'status', 'took', 'tries', 'since']);
  return {
    element: createSection('versions', label, input, suggestions, shown, chart.element, table.element),
    /** The id that the operator has entered, or null. */
    conversationId: () => input.value.trim() || null,
    show({ conversations, chain }) {
      suggestions.replaceChildren(...conversations.map((id) => el('option', { value: id })));
      shown.textContent = chain.conversation_id ? t('operations.versions.of', { id: chain.conversation_id }) : '';
      table.show(chain.versions.map(drawVersion));
      const [numbers, lines] = windowLines(chain.versions);
      chart.show(numbers, [1, Math.max(2, numbers.length)], lines);
    },
  };
}

function drawVersion(row) {
  return [
    `${row.memory_id}`,
    row.base_memory_id === null ? '–' : `${row.base_memory_id}`,
    formatRange(row.start_sequence, row.end_sequence),
    t(`operations.status.${row.status}`),
    row.generation_time_ms === null ? '–' : formatDuration(row.generation_time_ms),
    formatNumber(row.attempts),
    timeElement(row.created_at),
  ];
}

/** Of the completed versions, oldest first: [1, 2, …] and a line each for the window's end and start. */
function windowLines(versions) {
  const completed = versions.filter(({ status }) => status === 'completed').reverse();
  const line = (label, column) => ({ label: t(label), values: completed.map((row) => row[column]) });
  return [completed.map((_, index) => index + 1), [
    line('operations.versions.end', 'end_sequence'),
    line('operations.versions.start', 'start_sequence'),
  ]];
}
