/** What is used of each quota, as bars. */

import { listQuotas } from '../api/access.js';
import { createRefresh } from '../page/action.js';
import { byId, el } from '../page/element.js';
import { formatNumber, formatSize, t } from '../text/texts.js';
import { formatTime } from '../text/times.js';

export function prepareUsage() {
  return {
    refresh: createRefresh(byId('usage'), async () => {
      const { quotas } = await listQuotas();
      byId('quotas').replaceChildren(...quotas.map(drawQuota));
      const daily = quotas.find((quota) => quota.resets_at);
      byId('usage-resets').textContent = t('usage.resets', { time: formatTime(daily.resets_at) });
    }),
  };
}

function drawQuota({ name, used, limit }) {
  const format = name === 'storage' ? formatSize : formatNumber;
  const values = { used: format(used), limit: format(limit ?? 0) };
  return el('label', { class: 'tier' },
    el('span', {}, t(`usage.${name}`)),
    el('span', {}, t(limit ? 'usage.of' : 'usage.free', values)),
    limit && el('progress', { max: limit, value: Math.min(used, limit) }));
}
