/** The events of one reply up to its end. A lost connection is opened again. */

import { resumeReply } from './chat.js';
import { ApiError, isAbort } from './errors.js';
import { serverEvents } from './server_events.js';

const FIRST_PAUSE_MS = 400;
const MAX_PAUSE_MS = 8000;
const MAX_TRIES = 8;

/**
 * Yields {name, data} for the server's `meta`, `delta`, `done` and `error`, and for `reconnecting`
 * before each new connection. Throws when the first connection fails or the server refuses, and
 * `connection_lost` when the server cannot be reached again.
 *
 * `connect` opens the first stream. `cursor` is {conversationId, sequence, attempt, lastId}; the
 * first `meta` of a new round fills it in.
 */
export async function* replyEvents(connect, cursor, signal) {
  let tries = 0;
  let open = connect;
  for (;;) {
    for await (const event of readConnection(open, cursor)) {
      tries = 0;
      yield event;
      if (event.name === 'done' || event.name === 'error') return;
    }
    if (cursor.sequence == null || tries === MAX_TRIES) throw new ApiError({ code: 'connection_lost' });
    yield { name: 'reconnecting' };
    await pause(tries, signal);
    tries += 1;
    open = () => resumeReply(cursor.conversationId, cursor.sequence, cursor.lastId, signal);
  }
}

/** Yields the events of one connection, and ends when it is lost. */
async function* readConnection(open, cursor) {
  try {
    for await (const event of serverEvents(await open())) {
      advance(cursor, event);
      yield event;
    }
  } catch (error) {
    if (!mayReconnect(error, cursor)) throw error;
  }
}

// Each connection begins with a `meta`. Only a `delta` has an id to resume after.
function advance(cursor, { id, name, data }) {
  if (name === 'delta') cursor.lastId = id;
  if (name !== 'meta') return;
  cursor.conversationId = data.conversation_id;
  cursor.sequence = data.sequence;
  [cursor.attempt] = id.split('-');
}

// Before the first `meta` there is no reply to resume. A stream that breaks off throws a TypeError.
// An error with a status is the server's refusal, unless the server is only unavailable.
function mayReconnect(error, cursor) {
  if (isAbort(error) || cursor.sequence == null) return false;
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 502;
}

/** Waits longer with each try. Ends early when the network is back; rejects when `signal` fires. */
function pause(tries, signal) {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** tries, MAX_PAUSE_MS);
  const jitter = 0.75 + Math.random() / 2;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, longest * jitter);
    window.addEventListener('online', resolve, { once: true, signal });
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
