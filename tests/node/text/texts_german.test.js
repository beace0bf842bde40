/** Numbers and plural forms are those of the page's language. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { openTexts } from '../texts.js';

openTexts('de');
const { formatNumber, formatRange, locale, t, tCount } = await import('../../../web/static/js/text/texts.js');
const { formatClock, formatDay, formatDuration } = await import('../../../web/static/js/text/times.js');

test('numbers and plural forms are German ones', () => {
  assert.equal(locale, 'de-u-nu-latn');
  assert.equal(tCount('erase.facts', 1), '1 Fakt');
  assert.equal(tCount('erase.facts', 2000), '2.000 Fakten');
  assert.equal(formatNumber(12_345), '12.345');
});

test('times are German ones', () => {
  assert.equal(formatDuration(1500), '1,5 s');
  assert.equal(formatDuration(12.4), '12 ms');
  const now = new Date(2025, 2, 20, 12);
  assert.equal(formatDay('2025-03-03T12:00', now), '3. März');
  assert.equal(formatDay('2025-03-20T01:00', now), 'Heute');
  assert.equal(formatClock('2025-03-20T14:05'), '14:05');
});

test('an unknown key is returned as it is, and so is an unknown placeholder', () => {
  assert.equal(t('no.such.key'), 'no.such.key');
  assert.equal(formatRange(4, 4), '4');
});
