/** What the page says of the requests that a model takes. */

import '../../texts.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { describeLimits } = await import('../../../../web/static/js/chat/models/limits.js');

const NOTHING = { left_out: [], answer_tokens: null, context_tokens: null };

test('nothing is said of a model that takes all', () => {
  assert.equal(describeLimits(NOTHING), '');
});

test('what a model takes is told in a line', () => {
  const limits = { left_out: ['max_tokens', 'temperature'], answer_tokens: null, context_tokens: 8192 };
  assert.equal(describeLimits(limits), 'Takes: no temperature · max_completion_tokens · 8,192 tokens');
});

test('roles, bounds and fields beside others have words of their own', () => {
  const limits = { ...NOTHING, left_out: ['max_completion_tokens', 'max_tokens', 'system', 'top_p+temperature'], answer_tokens: 512 };
  assert.equal(
    describeLimits(limits),
    'Takes: no max_completion_tokens · no max_tokens · no system role · no top_p beside temperature · answers of 512 tokens at most',
  );
});
