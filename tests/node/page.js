/** A page in jsdom for the modules that are written for a browser. It has texts, and no layout. */

import { JSDOM } from 'jsdom';
import { readTexts } from './texts.js';

const NAMES = [
  'Event', 'MutationObserver', 'Node', 'NodeFilter', 'document', 'getSelection', 'localStorage', 'window',
];

/** Opens a page. What a browser has as global names is that page's from then on. */
function openPage() {
  const texts = `<script type="application/json" id="texts">${readTexts('en')}</script>`;
  const { window } = new JSDOM(`<!doctype html><html lang="en"><body>${texts}`, { url: 'http://localhost/' });
  for (const name of NAMES) globalThis[name] = window[name];
  globalThis.self = globalThis; // where the scripts that bin/vendor made modules put their names
  globalThis.ResizeObserver = class { observe() {} };
  new MutationObserver(tellLoaded).observe(document.head, { childList: true });
}

/** Nothing is loaded here, but who waits for styles that were put into the page is told that they are there. */
function tellLoaded(records) {
  for (const node of records.flatMap((record) => [...record.addedNodes])) {
    node.dispatchEvent(new Event('load'));
  }
}

openPage();
