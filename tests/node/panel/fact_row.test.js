/** The row of a fact stays what it is while the panel is read again. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { FactRow } = await import('../../../web/static/js/panel/fact_row.js');

const FACT = { fact_id: 1, category: 'identity', key: 'home_city', value: 'Bergen', source: null, valid_from: '2026-01-01T00:00:00Z' };

test('what is under a click is replaced only when the fact has changed', () => {
  const row = new FactRow({ onChanged() {}, onForget() {} });
  row.show(FACT);
  const value = row.element.querySelector('bdi');
  row.show({ ...FACT });
  assert.equal(row.element.querySelector('bdi'), value);
  row.show({ ...FACT, fact_id: 2, value: 'Oslo' });
  assert.equal(row.element.querySelector('bdi').textContent, 'Oslo');
});

test('a change is sent also while the versions are being read', async () => {
  const sent = [];
  globalThis.fetch = (path, { method = 'GET' } = {}) => {
    sent.push(`${method} ${path.split('?')[0]}`);
    return new Promise(() => {});
  };
  const row = new FactRow({ onChanged() {}, onForget() {} });
  row.show(FACT);
  const details = row.element.querySelector('details');
  details.open = true;
  details.dispatchEvent(new Event('toggle'));
  row.element.querySelector('form').dispatchEvent(new Event('submit', { cancelable: true }));
  assert.deepEqual(sent, ['GET /api/v1/facts/1/versions', 'PATCH /api/v1/facts/1']);
});
