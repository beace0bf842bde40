/** The user's events as they happen. */

const TYPES = ['fact.learned', 'fact.replaced', 'episode.closed', 'job.failed', 'reply.changed', 'conversation.branched'];
const RETRY_MS = 30_000; // after a refusal; a broken connection is taken up again by the browser

/**
 * Calls `onEvent({type, timestamp, data})` for each event while the page is visible. A hidden page
 * holds no connection, because a browser allows a site only a few.
 */
export function followEvents(onEvent) {
  let source = null;
  let lastId = null;
  let timer = null;

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function note(event) {
    lastId = event.lastEventId;
    if (event.data !== '{}') onEvent(JSON.parse(event.data));
  }

  function handleError() {
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    timer = setTimeout(update, RETRY_MS);
  }

  function update() {
    close();
    if (document.hidden) return;
    source = new EventSource(lastId ? `/api/events?last_event_id=${lastId}` : '/api/events');
    for (const type of ['ready', ...TYPES]) source.addEventListener(type, note);
    source.addEventListener('error', handleError);
  }

  document.addEventListener('visibilitychange', update);
  window.addEventListener('pagehide', close);
  update();
}
