/** Draws Markdown for tests. */

import '../page.js';
import { renderBlock, splitBlocks } from '../../../web/static/js/text/markdown.js';

/** An element that holds a drawn text. */
export function drawMarkdown(text) {
  const root = document.createElement('div');
  root.append(...splitBlocks(text).map(renderBlock));
  return root;
}
