/** Instants (ISO 8601, UTC) as people read them, in their own time zone. */

import { el } from './element.js';
import { language, t } from './texts.js';

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;

const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const exactClock = new Intl.DateTimeFormat(language, { timeStyle: 'medium', hourCycle: 'h23' });
const weekday = new Intl.DateTimeFormat(language, { weekday: 'long' });
const date = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long' });
const dateOfYear = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric' });
const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'medium' });

/** `14:32` today, `12 March, 14:32` before. */
export function timeOf(instant, now = new Date()) {
  const at = new Date(instant);
  return daysAgo(at, now) === 0 ? clock.format(at) : `${dayName(at, now)}, ${clock.format(at)}`;
}

/** From when to when, with the day said once: `12 March, 14:02–14:20`. */
export function spanOf(start, end, now = new Date()) {
  const isOneDay = daysAgo(new Date(start), new Date(end)) === 0;
  const last = isOneDay ? clock.format(new Date(end)) : timeOf(end, now);
  const first = timeOf(start, now);
  return first === timeOf(end, now) ? first : `${first} – ${last}`;
}

/** `14:32`, whatever the day. */
export function shortTime(instant) {
  return clock.format(new Date(instant));
}

/** With seconds: `14:32:05`. */
export function clockTime(at) {
  return exactClock.format(at);
}

export function timeElement(instant) {
  return el('time', { datetime: instant, title: full.format(new Date(instant)) }, timeOf(instant));
}

/** Today, Yesterday, a weekday within the week, else the date. */
export function dayName(instant, now = new Date()) {
  const at = new Date(instant);
  const days = daysAgo(at, now);
  if (days === 0) return t('day.today');
  if (days === 1) return t('day.yesterday');
  if (days > 1 && days < 7) return weekday.format(at);
  return (at.getFullYear() === now.getFullYear() ? date : dateOfYear).format(at);
}

export function duration(ms) {
  if (ms < SECOND_MS) return t('unit.ms', { value: Math.round(ms) });
  return t('unit.s', { value: (ms / SECOND_MS).toFixed(1) });
}

// By midnights, rounded: days of 23 and 25 hours count as days too.
function daysAgo(at, now) {
  return Math.round((midnight(now) - midnight(at)) / DAY_MS);
}

function midnight(at) {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
