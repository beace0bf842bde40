/** An event makes the panel read what it may have changed, and nothing else. */

import assert from 'node:assert/strict';
import test from 'node:test';

import { KINDS, listChanged } from '../../../web/static/js/panel/changes.js';

const CHAT = { id: 'c1', mayWrite: ({ attempt }) => attempt === 'a1' };
const OF_ALL = ['facts', 'suggestions', 'tidying', 'episodes'];

const list = (type, data, chat = CHAT) => listChanged({ type, data: { conversation_id: 'c1', ...data } }, chat);

test('facts are told by their events', () => {
  assert.deepEqual(list('fact.suggested', {}), ['suggestions']);
  assert.deepEqual(list('fact.learned', { conversation_id: null }), ['facts', 'suggestions', 'tidying']);
});

test('a job that has begun has changed itself alone, and one that has ended what is its product', () => {
  assert.deepEqual(list('job.changed', { kind: 'facts', running: true }), ['jobs']);
  assert.deepEqual(list('job.changed', { kind: 'facts', running: false }), ['facts', 'suggestions', 'jobs']);
  assert.deepEqual(list('job.changed', { kind: 'summary', running: false }), ['summaries', 'jobs']);
  assert.deepEqual(list('job.changed', { kind: 'not known here', running: false }), KINDS);
});

test('jobs and summaries are those of the open conversation', () => {
  assert.deepEqual(list('job.failed', { conversation_id: 'c2' }), []);
  assert.deepEqual(list('job.changed', { conversation_id: 'c2', kind: 'episode', running: false }), ['episodes']);
  assert.deepEqual(list('job.failed', { conversation_id: null }, { ...CHAT, id: null }), []);
});

test('a reply that is written here is no news, as any other change is', () => {
  assert.deepEqual(list('conversation.changed', { attempt: 'a1' }), []);
  assert.deepEqual(list('conversation.changed', { attempt: 'a2' }), KINDS);
  assert.deepEqual(list('conversation.changed', { attempt: null }), KINDS);
  assert.deepEqual(list('conversation.changed', { conversation_id: 'c2', attempt: 'a2' }), OF_ALL);
});
