/** A reply's trace is drawn as sentences that lead to where things were said. */

import '../../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { drawTrace } from '../../../../web/static/js/chat/replies/trace.js';

const QUOTE = {
  conversation_id: 'c1',
  sequence: 4,
  role: 'user',
  name: null,
  said_at: '2024-03-12T12:00:00+00:00',
  text: '<b>I row.</b>',
};
const FACT = { category: 'identity', key: 'home_city', conversation_id: 'c2', sequence: 0 };
const TRACE = {
  facts: [],
  episodes: [],
  messages: [],
  cut: { facts: 0, episodes: 0, messages: 0, points: 0, gap: null },
  tokens: { 'given': 1, budget: 2 }, // quoted, because the name is the API's
  steps_ms: {},
};

test('messages that were given lead to where they were said', () => {
  const nodes = drawTrace({
    ...TRACE,
    messages: [QUOTE, { ...QUOTE, sequence: 5, role: 'assistant', name: 'Tom' }],
    summary: null,
    gap: { start: 8, end: 9 },
    corrected: { barcelna: 'barcelona', '<i>': 'it' },
    cut: { facts: 2, episodes: 0, messages: 1, points: 0, gap: null },
    tokens: { 'given': 1200, budget: 4000 },
    steps_ms: { recall: 9, facts: 2.4, messages: 4, model: 1500 },
  }, 'offline/extractive');
  assert.deepEqual(nodes.map((node) => node.textContent), [
    'Said beforeYou, March 12, 2024: <b>I row.</b>4Tom, March 12, 2024: <b>I row.</b>5',
    'Typing errors: “barcelna” read as “barcelona”, “<i>” read as “it”.',
    'Word for word: messages 8–9.',
    'Left out for want of room: 2 facts, 1 earlier message.',
    'NumbersModelThe built-in helperTokensnot told by the providerWhole reply1.5 s1,200 of 4,000 tokens.Time: facts 2 ms, earlier messages 4 ms.',
  ]);
  const links = nodes.map((node) => [...node.querySelectorAll('a')].map((link) => link.getAttribute('href')));
  assert.deepEqual(links, [['/c/c1#4', '/c/c1#5'], [], [], [], []]);
});

test('what the reply says again comes first, with its chat', () => {
  const texts = drawTrace({
    ...TRACE,
    facts: [
      { ...FACT, value: 'Oslo', title: 'Old', used: false },
      { ...FACT, value: 'Bergen', title: '<b>Moving</b>', used: true },
    ],
  }).map((node) => node.textContent);
  assert.equal(texts[0], 'Found in the reply');
  assert.deepEqual(texts.slice(2, 5), [
    'FactsYou live in Bergen in “<b>Moving</b>”0',
    'Also given',
    'FactsYou live in Oslo in “Old”0',
  ]);
});
