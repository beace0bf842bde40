/**
 * marked's lexer with limits. Text that is nested too deeply, or that has too many special
 * characters in one paragraph, is shown as plain text. For such text marked needs seconds, or
 * overflows the call stack.
 */

import { Lexer, Tokenizer } from '../../vendor/marked.js';

const MAX_DEPTH = 30; // of quotes and lists within one another
const MAX_SIGNS = 2_000; // in one paragraph; marked's time grows with their square
const MAX_PARAGRAPH_CHARS = 50_000;
const MAX_BLOCK_CHARS = 10_000; // of a list or quote; what follows becomes another one
const MAX_HEADING_CHARS = 2_000; // of an underlined heading
const ITEM_BEGUN = /^ {0,3}(?:[*+-]|\d{1,9}[.)])/;
const NEXT_ITEM = /\n(?=[*+-] |\d{1,9}[.)] )/g;
const SIGNS = /[*_~`[\]!<>&\\@:$(]/g;

export class BoundedLexer extends Lexer {
  #depth = 0;

  constructor(options) {
    super({ ...options, tokenizer: new BoundedTokenizer(options) });
  }

  blockTokens(source, tokens = [], isClipped = false) {
    if (this.#depth >= MAX_DEPTH) {
      tokens.push({ type: 'paragraph', raw: source, text: source, tokens: [plainText(source)] });
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
    if (!isTooComplex(source)) return super.inlineTokens(source, tokens);
    tokens.push(plainText(source));
    return tokens;
  }
}

/** Gives marked a short source, because it reads the whole rest of a block again for each part. */
class BoundedTokenizer extends Tokenizer {
  lheading(source) {
    return super.lheading(source.slice(0, MAX_HEADING_CHARS));
  }

  // marked asks at each block whether a list begins there.
  list(source) {
    return ITEM_BEGUN.test(source) ? super.list(cutBetweenItems(source)) : undefined;
  }

  blockquote(source) {
    return super.blockquote(cutAtLine(source));
  }
}

function cutBetweenItems(source) {
  if (source.length <= MAX_BLOCK_CHARS) return source;
  const ends = [...source.slice(0, MAX_BLOCK_CHARS).matchAll(NEXT_ITEM)];
  return ends.length ? source.slice(0, ends.at(-1).index + 1) : cutAtLine(source);
}

function cutAtLine(source) {
  if (source.length <= MAX_BLOCK_CHARS) return source;
  const lastLineBreak = source.lastIndexOf('\n', MAX_BLOCK_CHARS);
  return source.slice(0, lastLineBreak < 0 ? MAX_BLOCK_CHARS : lastLineBreak + 1);
}

function isTooComplex(source) {
  if (source.length <= MAX_SIGNS) return false;
  return source.length > MAX_PARAGRAPH_CHARS || (source.match(SIGNS)?.length ?? 0) > MAX_SIGNS;
}

function plainText(text) {
  return { type: 'text', raw: text, text };
}
