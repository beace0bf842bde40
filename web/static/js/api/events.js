/** The user's events as they happen. */

const TYPES = ['fact.learned', 'fact.replaced', 'fact.suggested', 'episode.closed', 'job.failed', 'job.changed', 'reply.changed', 'conversation.branched', 'conversation.changed'];
const RETRY_MS = 30_000; // after a refusal; a broken connection is taken up again by the browser

let source = null;

/** Whether the server tells this page what happens just now. */
export function isFollowing() {
  return source !== null && source.readyState === source.OPEN;
}

/**
 * Calls `onEvent({type, timestamp, data})` for each event while the page is visible. A hidden page
 * holds no connection, because a browser allows a site only a few. `onReturn()` is called when one
 * is open again, or at last: changes of conversations and jobs were not told meanwhile.
 */
export function followEvents(onEvent, onReturn) {
  let wasTried = false;
  let lastId = null;
  let timer = null;

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function note(event) {
    lastId = event.lastEventId;
    onEvent(JSON.parse(event.data));
  }

  function noteReady(event) {
    lastId = event.lastEventId;
    if (wasTried) onReturn();
    wasTried = true;
  }

  function handleError() {
    wasTried = true;
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    timer = setTimeout(update, RETRY_MS);
  }

  function update() {
    close();
    if (document.hidden) return;
    source = new EventSource(lastId ? `/api/v1/events?last_event_id=${lastId}` : '/api/v1/events');
    source.addEventListener('ready', noteReady);
    for (const type of TYPES) source.addEventListener(type, note);
    source.addEventListener('error', handleError);
  }

  document.addEventListener('visibilitychange', update);
  window.addEventListener('pagehide', close);
  update();
}
