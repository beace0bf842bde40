/** A page with a whole conversation: draws the Markdown of replies, and offers to print. */

import { renderBlock, splitBlocks } from '../js/text/markdown.js';

// Without scripts the text stands there as it was written.
function draw(place) {
  const blocks = splitBlocks(place.textContent).map((block) => {
    const frame = document.createElement('div');
    frame.className = 'block';
    frame.append(renderBlock(block));
    return frame;
  });
  place.replaceChildren(...blocks);
  place.removeAttribute('data-markdown');
}

for (const place of document.querySelectorAll('[data-markdown]')) draw(place);
await document.fonts.ready;
window.print();
