/**
 * Markdown that grows while it is read. Only blocks that changed are drawn again, so a long reply
 * stays cheap, and text that the reader has selected further up stays selected. What takes long to
 * draw is drawn less often, so that the page stays the reader's.
 */

import { dressCode } from './code_blocks.js';
import { el } from './element.js';
import { renderBlock, splitBlocks } from './markdown.js';

const MIN_PAUSE_MS = 40;
const REST = 4; // times as long as the last drawing took

export class GrowingText {
  text = '';
  #root;
  #onClosed;
  #drawn = []; // {raw, frame, isClosed}, one a block
  #timer = null;
  #pauseMs = MIN_PAUSE_MS; // before the next drawing

  /** `onClosed(text)` is called with each block's plain text once nothing can be added to it. */
  constructor(root, onClosed = () => {}) {
    this.#root = root;
    this.#onClosed = onClosed;
  }

  add(more) {
    this.text += more;
    this.#timer ??= setTimeout(() => this.#draw(false), this.#pauseMs);
  }

  /** Shows exactly this text; `isFinished` says that it will not grow any more. */
  set(whole, isFinished = false) {
    clearTimeout(this.#timer);
    this.text = whole;
    this.#draw(isFinished);
  }

  #draw(isFinished) {
    this.#timer = null;
    const began = performance.now();
    this.#bringUp(isFinished);
    this.#root.getBoundingClientRect(); // the layout is part of what it takes
    this.#pauseMs = Math.max(MIN_PAUSE_MS, REST * (performance.now() - began));
  }

  #bringUp(isFinished) {
    const blocks = splitBlocks(this.text);
    const changed = blocks.findIndex((block, i) => block.raw !== this.#drawn[i]?.raw);
    this.#keepFirst(changed < 0 ? blocks.length : changed);
    for (const block of blocks.slice(this.#drawn.length)) this.#append(block);
    for (const block of isFinished ? this.#drawn : this.#drawn.slice(0, -1)) this.#close(block);
  }

  #keepFirst(count) {
    for (const { frame } of this.#drawn.splice(count)) frame.remove();
  }

  #append(block) {
    const frame = el('div', { class: 'block' }, renderBlock(block));
    this.#root.append(frame);
    this.#drawn.push({ raw: block.raw, frame, isClosed: false });
  }

  #close(block) {
    if (block.isClosed) return;
    block.isClosed = true;
    this.#onClosed(block.frame.textContent.trim());
    dressCode(block.frame);
  }
}
