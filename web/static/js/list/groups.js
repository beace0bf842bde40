/** The groups of the list: pinned conversations, then those of the last days, then months. */

import { t } from '../text/texts.js';
import { daysBetween, formatMonth } from '../text/times.js';

// The first span that a conversation is young enough for is its group. `days` are midnights ago.
const SPANS = [
  { days: 0, key: 'day.today' },
  { days: 1, key: 'day.yesterday' },
  { days: 7, key: 'list.week' },
  { days: 30, key: 'list.month' },
];

/** [[name, rows], …]. Within each group the rows keep their order, which is newest first. */
export function groupRows(rows, now = new Date()) {
  const groups = new Map();
  const pinned = rows.filter((row) => row.pinned);
  if (pinned.length) groups.set(t('list.pinned'), pinned);
  for (const row of rows.filter(({ pinned: isPinned }) => !isPinned)) {
    const name = nameOf(new Date(row.updated_at), now);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups];
}

function nameOf(at, now) {
  const age = daysBetween(at, now);
  const span = SPANS.find(({ days }) => age <= days);
  return span ? t(span.key) : formatMonth(at);
}
