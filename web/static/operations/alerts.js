/** The alerts that one look can tell, what is wrong first, beside the names in Prometheus. */

import { el } from '../js/page/element.js';
import { formatNumber, t } from '../js/text/texts.js';
import { nameOfMetric } from './metric_name.js';
import { createSection, createTable } from './section.js';

export function createAlerts() {
  const table = createTable('alerts', ['alert', 'state', 'now', 'limit', 'metric']);
  return {
    element: createSection('alerts', table.element),
    show: ({ alerts }) => table.show(alerts.map(drawAlert)),
  };
}

function drawAlert({ alert, state, value, limit, metric, labels }) {
  return [
    el('code', {}, alert),
    el('span', { class: `state is-${state}` }, t(`operations.alerts.${state}`)),
    value === null ? '–' : formatNumber(Math.round(value)),
    limit === null ? '–' : formatNumber(limit),
    el('code', { dir: 'ltr' }, nameOfMetric(metric, labels)),
  ];
}
