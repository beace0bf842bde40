/** One failure, one notice: what fails for the same reason is told once, however much is loading. */

import { describeError } from '../api/errors.js';
import { t } from '../text/texts.js';
import { dropNotices, notify } from './notices.js';

const NOT_SIGNED_IN = 'not_signed_in';
const UNREACHABLE = 'network';
const LEAST_SHOWN_MS = 4000; // so that it can be read, also when only one request of many has failed

let toldAt = 0; // when the newest notice of an unreachable server was shown

export function notifyError(error) {
  const isTold = error.code === UNREACHABLE && !navigator.onLine; // by the notice of the network
  if (isTold) return;
  notify(describeError(error), { key: error.code, ...wayOut(error) });
  if (error.code === UNREACHABLE) toldAt = Date.now();
}

/** For `notify`: who is not signed in any more gets the page to sign in, which leads back here. */
export function wayOut({ code }) {
  if (code !== NOT_SIGNED_IN) return {};
  return { action: { label: t('notice.sign_in'), run: () => window.location.reload() }, isCalm: false, lasting: true };
}

// Whatever the server answers, it is back.
document.addEventListener('answered', () => setTimeout(dropRead, Math.max(0, toldAt + LEAST_SHOWN_MS - Date.now())));

function dropRead() {
  if (Date.now() >= toldAt + LEAST_SHOWN_MS) dropNotices(UNREACHABLE);
}
