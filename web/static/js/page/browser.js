/** What the page asks of the browser: its look, its connection, and being an app. */

import { followLook } from './look.js';
import { watchNetwork } from './notices.js';
import { registerWorker } from './service_worker.js';

export function prepareBrowser() {
  watchNetwork();
  followLook();
  registerWorker();
}
