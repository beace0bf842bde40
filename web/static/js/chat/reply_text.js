/**
 * Draws Markdown while it is being written. Only blocks that have changed are drawn again: a long
 * reply stays fast, and text that the reader has selected stays selected. Slow drawings are made
 * less often, so that the page stays responsive.
 */

import { el } from '../page/element.js';
import { renderBlock, splitBlocks } from '../text/markdown.js';
import { decorateCode } from './code_blocks.js';

const MIN_PAUSE_MS = 40;
const PAUSE_FACTOR = 4; // a pause is this many times as long as the last drawing took

export class ReplyText {
  text = '';
  #root;
  #onClosed;
  #drawn = []; // a {raw, frame, isClosed} for each block
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
    const blocks = splitBlocks(this.text);
    const firstChanged = blocks.findIndex((block, index) => block.raw !== this.#drawn[index]?.raw);
    this.#removeFrom(firstChanged < 0 ? blocks.length : firstChanged);
    for (const block of blocks.slice(this.#drawn.length)) this.#add(block);
    for (const block of isFinished ? this.#drawn : this.#drawn.slice(0, -1)) this.#close(block);
  }

  #removeFrom(index) {
    for (const { frame } of this.#drawn.splice(index)) frame.remove();
  }

  #add(block) {
    const frame = el('div', { class: 'block' }, renderBlock(block));
    this.#root.append(frame);
    this.#drawn.push({ raw: block.raw, frame, isClosed: false });
  }

  #close(block) {
    if (block.isClosed) return;
    block.isClosed = true;
    this.#onClosed(block.frame.textContent.trim());
    decorateCode(block.frame);
  }
}
