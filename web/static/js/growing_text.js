/**
 * Markdown that grows while it is read. Only blocks that changed are drawn again, so a long reply
 * stays cheap, and text that the reader has selected further up stays selected.
 */

import { dressCode } from './code_blocks.js';
import { el } from './element.js';
import { renderBlock, splitBlocks } from './markdown.js';

const MIN_PAUSE_MS = 40;

export class GrowingText {
  text = '';
  #root;
  #onClosed;
  #drawn = []; // {raw, frame, isClosed}, one a block
  #timer = null;

  /** `onClosed(text)` is called with each block's plain text once nothing can be added to it. */
  constructor(root, onClosed = () => {}) {
    this.#root = root;
    this.#onClosed = onClosed;
  }

  add(more) {
    this.text += more;
    this.#timer ??= setTimeout(() => this.#draw(false), MIN_PAUSE_MS);
  }

  /** Shows exactly this text; `isFinished` says that it will not grow any more. */
  set(whole, isFinished = false) {
    clearTimeout(this.#timer);
    this.text = whole;
    this.#draw(isFinished);
  }

  #draw(isFinished) {
    this.#timer = null;
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
