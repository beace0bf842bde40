/** Formats instants (ISO 8601, UTC) in the reader's language and time zone. */

import { formatTenths, locale, t } from './texts.js';

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const exactClock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' });
const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' });
const dateWithYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' });
const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' });

/** `14:32` for today, `12 March, 14:32` for any other day. */
export function formatTime(instant, now = new Date()) {
  const at = new Date(instant);
  return daysBetween(at, now) === 0 ? clock.format(at) : `${formatDay(at, now)}, ${clock.format(at)}`;
}

/** A span of time. The day is given once: `12 March, 14:02 – 14:20`. */
export function formatSpan(start, end, now = new Date()) {
  const first = formatTime(start, now);
  const last = formatTime(end, now);
  if (first === last) return first;
  const isOneDay = daysBetween(new Date(start), new Date(end)) === 0;
  return `${first} – ${isOneDay ? clock.format(new Date(end)) : last}`;
}

/** `14:32`, without the day. */
export function formatClock(instant) {
  return clock.format(new Date(instant));
}

/** `14:32:05`, without the day. */
export function formatExactClock(instant) {
  return exactClock.format(new Date(instant));
}

/** The whole date, with seconds. */
export function formatFull(instant) {
  return full.format(new Date(instant));
}

/** Today, Yesterday, the weekday within the last week, else the date. */
export function formatDay(instant, now = new Date()) {
  const at = new Date(instant);
  const days = daysBetween(at, now);
  if (days === 0) return t('day.today');
  if (days === 1) return t('day.yesterday');
  if (days > 1 && days < 7) return weekday.format(at);
  return (at.getFullYear() === now.getFullYear() ? date : dateWithYear).format(at);
}

/** The last day of something, within a sentence: today, the weekday within the next week, else the date. */
export function formatLastDay(instant, now = new Date()) {
  const at = new Date(instant);
  const days = daysBetween(at, now);
  if (days === 0) return t('day.today').toLocaleLowerCase();
  return days < 0 && days > -7 ? weekday.format(at) : dateWithYear.format(at);
}

/** `March 2025`. */
export function formatMonth(at) {
  return month.format(at);
}

export function formatDuration(ms) {
  if (ms < SECOND_MS) return t('unit.ms', { value: Math.round(ms) });
  return t('unit.s', { value: formatTenths(ms / SECOND_MS) });
}

/** How many midnights lie between two dates. */
export function daysBetween(at, now) {
  return Math.round((midnight(now) - midnight(at)) / DAY_MS); // a day can have 23 or 25 hours
}

function midnight(at) {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
