/**
 * marked's lexer, bounded: what is nested without end, or has signs without end in one paragraph, is
 * shown as it is written. marked takes seconds for it, or the browser's whole stack.
 */

import { Lexer, Tokenizer } from '../vendor/marked.js';

const MOST_NESTED = 30; // quotes and lists within one another
const MOST_SIGNS = 2_000; // in one paragraph; the time that they take grows with their square
const MOST_CHARS = 50_000; // of one paragraph
const MOST_IN_LIST = 10_000; // of a list or quote; one that is longer goes on as another
const MOST_IN_HEADING = 2_000; // of one that is underlined
const NEXT_ITEM = /\n(?=[*+-] |\d{1,9}[.)] )/g;
const SIGNS = /[*_~`[\]!<>&\\@:$(]/g;

export class BoundedLexer extends Lexer {
  #depth = 0;

  constructor(options) {
    super({ ...options, tokenizer: new BoundedTokenizer(options) });
  }

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

/** marked reads the rest of a list, a quote or a paragraph again for each of its parts. */
class BoundedTokenizer extends Tokenizer {
  lheading(source) {
    return super.lheading(source.slice(0, MOST_IN_HEADING));
  }

  list(source) {
    return super.list(cutBetweenItems(source));
  }

  blockquote(source) {
    return super.blockquote(cutAtLine(source));
  }
}

function cutBetweenItems(source) {
  if (source.length <= MOST_IN_LIST) return source;
  const ends = [...source.slice(0, MOST_IN_LIST).matchAll(NEXT_ITEM)];
  return ends.length ? source.slice(0, ends.at(-1).index + 1) : cutAtLine(source);
}

function cutAtLine(source) {
  if (source.length <= MOST_IN_LIST) return source;
  return source.slice(0, source.lastIndexOf('\n', MOST_IN_LIST) + 1) || source.slice(0, MOST_IN_LIST);
}

function isWild(source) {
  return source.length > MOST_CHARS || (source.length > MOST_SIGNS && (source.match(SIGNS)?.length ?? 0) > MOST_SIGNS);
}

function asWritten(text) {
  return { type: 'text', raw: text, text };
}
