/** Names of files with the place in them. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';
import { drawTrace } from '../../../web/static/js/chat/replies/trace.js';
import { nameFile } from '../../../web/static/js/text/files.js';

const PLACES = [
  [{ kind: 'page', name: '12' }, 'a.pdf, page 12'],
  [{ kind: 'slide', name: '3' }, 'a.pdf, slide 3'],
  [{ kind: 'sheet', name: '<b>' }, 'a.pdf, sheet “<b>”'],
  [null, 'a.pdf'],
  [undefined, 'a.pdf'],
];

test('a file is named with its page, slide or sheet', () => {
  for (const [place, text] of PLACES) assert.equal(nameFile({ name: 'a.pdf', place }), text);
});

test('the details of a reply name the page that was quoted', () => {
  const passage = {
    conversation_id: 'c1', sequence: 0, name: 'a.pdf', title: 'Boiler', text: 'The valve.', place: PLACES[0][0],
  };
  const nodes = drawTrace({
    facts: [], episodes: [], messages: [], passages: [passage], tokens: { 'given': 1, budget: 2 }, steps_ms: {},
    cut: { facts: 0, episodes: 0, messages: 0, passages: 0, points: 0, gap: null },
  });
  assert.match(nodes.map((node) => node.textContent).join(''), /From the file a\.pdf, page 12 in “Boiler”: The valve\./);
});
