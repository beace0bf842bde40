/** Keeps the newest text in view until the reader scrolls up. */

const NEAR_END_PX = 40;

export class AutoScroll {
  #scroller;
  #content;
  #onChange;
  #hasNewer;
  #isFollowing = true;
  #lastTop = 0;
  #lastHeight = 0;

  /**
   * `onChange(isFollowing)` is called when the reader leaves the end or comes back to it.
   * `hasNewer()` tells whether newer messages exist that are not loaded.
   */
  constructor(scroller, content, { onChange, hasNewer }) {
    this.#scroller = scroller;
    this.#content = content;
    this.#onChange = onChange;
    this.#hasNewer = hasNewer;
    scroller.addEventListener('scroll', () => this.#noteScroll(), { passive: true });
    const observer = new ResizeObserver(() => {
      if (this.#isFollowing) this.toEnd();
      this.#notePlace();
    });
    observer.observe(content);
    observer.observe(scroller);
  }

  toEnd() {
    this.#setFollowing(true);
    this.#scroller.scrollTop = this.#content.hidden ? 0 : this.#scroller.scrollHeight; // the welcome has no end
  }

  stopFollowing() {
    this.#setFollowing(false);
  }

  /** Makes a change above what the reader sees, without moving what the reader sees. */
  keepPosition(change) {
    const fromEnd = this.#scroller.scrollHeight - this.#scroller.scrollTop;
    change();
    this.#scroller.scrollTop = this.#scroller.scrollHeight - fromEnd;
  }

  /** Changes something at the end of an element, without moving what the reader sees. */
  keepPlace(element, change) {
    const isAbove = element.getBoundingClientRect().bottom <= this.#scroller.getBoundingClientRect().top;
    if (isAbove) this.keepPosition(change);
    else change();
  }

  // Text that grows moves the end away, and text that shrinks moves what is seen up: while the
  // height changes, it is not the reader who scrolls.
  #noteScroll() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    const isNearEnd = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
    const isReader = scrollTop < this.#lastTop && scrollHeight === this.#lastHeight;
    if (isNearEnd && !this.#hasNewer()) this.#setFollowing(true);
    else if (isReader) this.#setFollowing(false);
    this.#notePlace();
  }

  #notePlace() {
    this.#lastTop = this.#scroller.scrollTop;
    this.#lastHeight = this.#scroller.scrollHeight;
  }

  #setFollowing(isFollowing) {
    if (this.#isFollowing === isFollowing) return;
    this.#isFollowing = isFollowing;
    this.#onChange(isFollowing);
  }
}
