/** The site in one look. What waits stands under its name in Prometheus. */

import { formatNumber, formatSize, t } from '../js/text/texts.js';
import { formatFull } from '../js/text/times.js';
import { nameOfMetric } from './metric_name.js';
import { createSection, createTable } from './section.js';

export function createStatus() {
  const table = createTable('status', ['what', 'now']);
  return {
    element: createSection('status', table.element),
    show(status) {
      const { reason, swept_s: swept, free_bytes: free, erased_at: erased, numbers } = status;
      table.show([
        [t('operations.status.ready'), reason ?? t('operations.status.yes')],
        [t('operations.status.schema'), status.schema_revision ?? '–'],
        [t('operations.status.swept'), swept === null ? '–' : `${formatNumber(Math.round(swept))} s`],
        [t('operations.status.free'), formatSize(free)],
        [t('operations.status.erased'), erased ? formatFull(new Date(erased)) : '–'],
        [t('operations.status.backup'), status.backup ? describeBackup(status.backup) : '–'],
        ...numbers.map(({ metric, labels, value }) => [nameOfMetric(metric, labels), formatNumber(Math.round(value))]),
      ]);
    },
  };
}

/** `26 Nov 2026, 03:00, 1.2 GB, checked`, or `never`, and what is wrong with it. */
function describeBackup(backup) {
  const { made_at: madeAt, byte_count: bytes, has_secrets: hasSecrets, failed_at: failedAt, failure, is_overdue: isOverdue } = backup;
  const size = madeAt && formatSize(bytes);
  return [
    madeAt ? t('operations.status.backup.made', { time: formatFull(new Date(madeAt)), size }) : t('operations.status.backup.never'),
    madeAt && !hasSecrets && t('operations.status.backup.bare'),
    isOverdue && t('operations.status.backup.overdue'),
    failedAt && t('operations.status.backup.failed', { time: formatFull(new Date(failedAt)), reason: failure }),
  ].filter(Boolean).join('; ');
}
