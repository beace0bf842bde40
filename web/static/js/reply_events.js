/** One reply's events to its end, over as many connections as that takes. */

import * as api from './api.js';
import { ApiError, isAbort } from './errors.js';
import { serverEvents } from './server_events.js';

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 8000;
const MAX_TRIES = 8;

/**
 * Yields {name, data} for the server's `meta`, `delta`, `done` and `error`, and `reconnecting`
 * before each new try. Throws when the first connection fails, when the server refuses, and
 * `connection_lost` when it stays away.
 *
 * `connect` opens the first stream. `place` is {conversationId, sequence, lastId}; a new round's
 * is filled in by its `meta`.
 */
export async function* replyEvents(connect, place, signal) {
  let tries = 0;
  let open = connect;
  for (;;) {
    try {
      for await (const event of serverEvents(await open())) {
        tries = 0;
        note(event, place);
        yield event;
        if (event.name === 'done' || event.name === 'error') return;
      }
    } catch (error) {
      if (!mayReconnect(error, place)) throw error;
    }
    if (place.sequence == null || tries === MAX_TRIES) throw new ApiError({ code: 'connection_lost' });
    yield { name: 'reconnecting' };
    await pause(tries++, signal);
    open = () => api.resumeReply(place.conversationId, place.sequence, place.lastId, signal);
  }
}

// A `meta` opens every connection with the place where it starts; only a `delta` moves on.
function note({ id, name, data }, place) {
  if (name === 'delta') place.lastId = id;
  if (name !== 'meta') return;
  place.conversationId = data.conversation_id;
  place.sequence = data.sequence;
}

// Without a `meta` there is nothing to come back to. A stream that breaks off while it is read
// raises a TypeError; an answer with a status is the server's word, unless it is only busy.
function mayReconnect(error, place) {
  if (isAbort(error) || place.sequence == null) return false;
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 502;
}

/** Grows with each try; ends early when the network comes back or the reader leaves. */
function pause(tries, signal) {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, longest * (0.75 + Math.random() / 2));
    window.addEventListener('online', resolve, { once: true, signal });
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
