/** The gaps of a prompt in the composer, such as {{city}}: one after the other is selected, to be filled in. */

import { announce } from '../../../page/notices.js';
import { t } from '../../../text/texts.js';

const GAP = /\{\{([^{}\n]{1,60})\}\}/g;

export class Gaps {
  #box;
  #isActive = false; // from a prompt with gaps until the last one or the message was left

  constructor(box) {
    this.#box = box;
    box.addEventListener('click', () => this.#selectTouched());
  }

  /** Selects the first gap of the prompt that the box now holds. */
  begin() {
    this.#box.setSelectionRange(0, 0);
    this.#isActive = true;
    if (this.move(1)) return;
    this.#box.setSelectionRange(this.#box.value.length, this.#box.value.length);
    announce(t('prompts.inserted'));
  }

  /**
   * Selects the next gap after the selection, or the one before it for -1. Returns false if there is
   * none: the key then moves the focus on, as usual.
   */
  move(step) {
    if (!this.#isActive) return false;
    const { selectionStart: start, selectionEnd: end } = this.#box;
    const gaps = this.#find();
    const gap = step > 0
      ? gaps.find(({ index }) => index >= end)
      : gaps.findLast(({ index, 0: { length } }) => index + length <= start);
    if (gap) this.#select(gap);
    else this.#isActive = false;
    return Boolean(gap);
  }

  leave() {
    this.#isActive = false;
  }

  // For touch screens, which have no Tab.
  #selectTouched() {
    const { selectionStart: start, selectionEnd: end } = this.#box;
    if (!this.#isActive || start !== end) return;
    const gap = this.#find().find(({ index, 0: { length } }) => index < start && start < index + length);
    if (gap) this.#select(gap);
  }

  #find() {
    return [...this.#box.value.matchAll(GAP)];
  }

  #select({ index, 0: { length }, 1: name }) {
    this.#box.setSelectionRange(index, index + length);
    announce(t('prompts.gap', { name: name.trim() }));
  }
}
