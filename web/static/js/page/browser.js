/** What the page asks of the browser: its look, its connection, and being an app. */

import { followLook } from './look.js';
import { watchNetwork } from './notices.js';

export function prepareBrowser() {
  watchNetwork();
  followLook();
  registerWorker();
}

/** After everything else is loaded. Without a worker, such as on a site without TLS, the page works, too. */
function registerWorker() {
  if (!('serviceWorker' in navigator)) return;
  window.addEventListener('load', () => {
    navigator.serviceWorker.register('/service-worker.js').catch(() => {});
  });
}
