/** Keeps the newest text in view, until the reader scrolls up; then it leaves them alone. */

const NEAR_PX = 40;

export class Scrolling {
  #scroller;
  #onChange;
  #hasNewer;
  #isFollowing = true;
  #lastTop = 0;

  /**
   * `onChange(isFollowing)` is called when the reader leaves the end or comes back to it;
   * `hasNewer()`: what is shown ends before the end does.
   */
  constructor(scroller, content, { onChange, hasNewer }) {
    this.#scroller = scroller;
    this.#onChange = onChange;
    this.#hasNewer = hasNewer;
    scroller.addEventListener('scroll', () => this.#noteScroll(), { passive: true });
    const observer = new ResizeObserver(() => this.#isFollowing && this.toEnd());
    observer.observe(content);
    observer.observe(scroller);
  }

  toEnd() {
    this.#follow(true);
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  stopFollowing() {
    this.#follow(false);
  }

  /** Runs a change above the reader's place, and keeps that place where it is. */
  hold(change) {
    const fromEnd = this.#scroller.scrollHeight - this.#scroller.scrollTop;
    change();
    this.#scroller.scrollTop = this.#scroller.scrollHeight - fromEnd;
  }

  // Text that grows also moves the end away; only the reader moves the top up.
  #noteScroll() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    if (isNear && !this.#hasNewer()) this.#follow(true);
    else if (scrollTop < this.#lastTop) this.#follow(false);
    this.#lastTop = scrollTop;
  }

  #follow(value) {
    if (this.#isFollowing === value) return;
    this.#isFollowing = value;
    this.#onChange(value);
  }
}
