/**
 * Draws Markdown while it is being written. Only blocks that have changed are drawn again: a long
 * reply stays fast, and text that the reader has selected stays selected. Slow drawings are made
 * less often, so that the page stays responsive.
 */

import { el } from '../../page/element.js';
import { drawFormulas } from '../../text/formulas.js';
import { drawablePart } from '../../text/growing_text.js';
import { renderBlock, splitBlocks } from '../../text/markdown.js';
import { colourCode, drawDiagrams, frameCode, rewriteCode } from './code_blocks.js';

const MIN_PAUSE_MS = 40;
const PAUSE_FACTOR = 4; // a pause is this many times as long as the last drawing took

export class ReplyText {
  text = '';
  #root;
  #onClosed;
  #drawnBlocks = []; // a {raw, frame, isClosed} for each block
  #timer = null;
  #pauseMs = MIN_PAUSE_MS; // before the next drawing

  /** `onClosed(text)` is called with the plain text of each block that cannot grow any more. */
  constructor(root, onClosed = () => {}) {
    this.#root = root;
    this.#onClosed = onClosed;
  }

  append(text) {
    this.text += text;
    this.#timer ??= setTimeout(() => this.#draw(false), this.#pauseMs);
  }

  /** Replaces the text. With `isFinished` it will not grow any more. */
  set(text, isFinished = false) {
    clearTimeout(this.#timer);
    this.text = text;
    this.#draw(isFinished);
  }

  #draw(isFinished) {
    this.#timer = null;
    const begunAt = performance.now();
    this.#update(isFinished);
    this.#root.getBoundingClientRect(); // forces the layout, which is part of the cost
    this.#pauseMs = Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * (performance.now() - begunAt));
  }

  #update(isFinished) {
    const blocks = splitBlocks(isFinished ? this.text : drawablePart(this.text));
    const firstChanged = blocks.findIndex((block, index) => block.raw !== this.#drawnBlocks[index]?.raw);
    const unchangedCount = firstChanged < 0 ? blocks.length : firstChanged;
    this.#removeFrom(this.#rewrite(unchangedCount, blocks[unchangedCount]) ? unchangedCount + 1 : unchangedCount);
    for (const block of blocks.slice(this.#drawnBlocks.length)) this.#add(block);
    drawFormulas(this.#root);
    for (const block of isFinished ? this.#drawnBlocks : this.#drawnBlocks.slice(0, -1)) this.#close(block);
  }

  /** Code that goes on keeps its box. Returns whether it did so. */
  #rewrite(index, block) {
    const drawnBlock = this.#drawnBlocks[index];
    if (!drawnBlock || drawnBlock.isClosed || !isSameCode(drawnBlock, block)) return false;
    rewriteCode(drawnBlock.frame, block.text);
    Object.assign(drawnBlock, { raw: block.raw, words: block.text });
    return true;
  }

  #removeFrom(index) {
    for (const { frame } of this.#drawnBlocks.splice(index)) frame.remove();
  }

  #add(block) {
    const frame = el('div', { class: 'block', dir: 'auto' }, renderBlock(block));
    const words = frame.textContent.trim(); // without what is added for the eye
    frameCode(frame);
    this.#root.append(frame);
    const { raw, type, lang } = block;
    this.#drawnBlocks.push({ raw, type, lang, frame, words, isClosed: false });
  }

  #close(block) {
    if (block.isClosed) return;
    block.isClosed = true;
    this.#onClosed(block.words);
    // Where what draws them cannot be loaded, code and diagrams stay as they were written.
    colourCode(block.frame).catch(() => {});
    if (!isCutCode(block)) drawDiagrams(block.frame).catch(() => {});
  }
}

/** Whether the reply ends within this code. */
function isCutCode({ type, raw }) {
  return type === 'code' && !/[`~]{3}\s*$/.test(raw);
}

function isSameCode(drawnBlock, block) {
  return block?.type === 'code' && drawnBlock.type === 'code' && block.lang === drawnBlock.lang;
}
