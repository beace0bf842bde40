/** Jobs that have been in progress for too long. */

import { el, timeElement } from '../js/page/element.js';
import { formatNumber, formatRange, nameJobKind, t } from '../js/text/texts.js';
import { createSection, createTable } from './section.js';

export function createStuckJobs() {
  const table = createTable('stuck', ['job', 'state', 'messages', 'tries', 'since', 'conversation']);
  const limit = el('p', { class: 'about' });
  return {
    element: createSection('stuck', limit, table.element),
    show({ stuck, stuck_after_s: seconds }) {
      limit.textContent = t('operations.stuck.limit', { seconds: formatNumber(seconds) });
      table.show(stuck.map(drawJob));
    },
  };
}

function drawJob(job) {
  return [
    `${nameJobKind(job.kind)} ${job.id}`,
    t(`jobs.state.${job.state}`),
    formatRange(job.start_sequence, job.end_sequence),
    formatNumber(job.attempts),
    timeElement(job.created_at),
    el('code', {}, job.conversation_id),
  ];
}
