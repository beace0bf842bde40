/** What the boxes that a message is written in have in common. */

/** Enter sends; with Shift it starts a line, and while an input method composes it is its key. */
export function isSending(event) {
  return event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
}

// CSS `field-sizing` does this too, but not yet in every browser.
export function fit(box) {
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}
