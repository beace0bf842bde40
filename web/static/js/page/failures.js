/** One failure, one notice: what fails for the same reason is told once, however much is loading. */

import { describeError } from '../api/errors.js';
import { dropNotices, notify } from './notices.js';

const UNREACHABLE = 'network';

export function notifyError(error) {
  const isTold = error.code === UNREACHABLE && !navigator.onLine; // by the notice of the network
  if (!isTold) notify(describeError(error), { key: error.code });
}

// Whatever the server answers, it is back.
document.addEventListener('answered', () => dropNotices(UNREACHABLE));
