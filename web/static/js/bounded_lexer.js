/**
 * marked's lexer, bounded: what is nested without end, or has signs without end in one paragraph, is
 * shown as it is written. marked takes seconds for it, or the browser's whole stack.
 */

import { Lexer } from '../vendor/marked.js';

const MOST_NESTED = 30; // quotes and lists within one another
const MOST_SIGNS = 2_000; // in one paragraph; the time that they take grows with their square
const MOST_CHARS = 50_000; // of one paragraph
const SIGNS = /[*_~`[\]!<>&\\@:$(]/g;

export class BoundedLexer extends Lexer {
  #depth = 0;

  blockTokens(source, tokens = [], isClipped = false) {
    if (this.#depth >= MOST_NESTED) {
      tokens.push({ type: 'paragraph', raw: source, text: source, tokens: [asWritten(source)] });
      return tokens;
    }
    this.#depth += 1;
    try {
      return super.blockTokens(source, tokens, isClipped);
    } finally {
      this.#depth -= 1;
    }
  }

  inlineTokens(source, tokens = []) {
    if (!isWild(source)) return super.inlineTokens(source, tokens);
    tokens.push(asWritten(source));
    return tokens;
  }
}

function isWild(source) {
  return source.length > MOST_CHARS || (source.length > MOST_SIGNS && (source.match(SIGNS)?.length ?? 0) > MOST_SIGNS);
}

function asWritten(text) {
  return { type: 'text', raw: text, text };
}
