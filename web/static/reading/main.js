/** A page with a whole conversation: draws the Markdown of replies and all formulas, and offers to print. */

import { drawFormulas, drawFormulasInText } from '../js/text/formulas.js';
import { renderBlock, splitBlocks } from '../js/text/markdown.js';

// Without scripts the text stands there as it was written.
async function draw(place) {
  const blocks = splitBlocks(place.textContent).map((block) => {
    const frame = document.createElement('div');
    frame.className = 'block';
    frame.dir = 'auto';
    frame.append(renderBlock(block));
    return frame;
  });
  place.replaceChildren(...blocks);
  place.removeAttribute('data-markdown');
  await drawFormulas(place);
}

async function drawAll() {
  for (const place of document.querySelectorAll('.is-user .said')) await drawFormulasInText(place);
  for (const place of document.querySelectorAll('[data-markdown]')) await draw(place);
  await document.fonts.ready;
  window.print();
}

drawAll();
