/** The site in one look. What waits stands under its name in Prometheus. */

import { formatNumber, t } from '../js/text/texts.js';
import { formatFull } from '../js/text/times.js';
import { nameOfMetric } from './metric_name.js';
import { createSection, createTable } from './section.js';

const BYTES_IN_GB = 1e9;

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
        [t('operations.status.free'), `${formatNumber(Math.floor(free / BYTES_IN_GB))} GB`],
        [t('operations.status.erased'), erased ? formatFull(new Date(erased)) : '–'],
        ...numbers.map(({ metric, labels, value }) => [nameOfMetric(metric, labels), formatNumber(Math.round(value))]),
      ]);
    },
  };
}
