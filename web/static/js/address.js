/** The address bar: `/` is a new chat, `/c/<id>` a conversation, `/c/<id>#<number>` a message. */

const CONVERSATION = /^\/c\/([^/]+)$/;
const MESSAGE = /^#(\d+)$/;

/** {id, sequence} of an address or a link; each may be null. */
export function addressedPlace({ pathname, hash } = window.location) {
  const id = CONVERSATION.exec(pathname)?.[1];
  const sequence = MESSAGE.exec(hash)?.[1];
  return {
    id: id ? decodeURIComponent(id) : null,
    sequence: sequence ? Number(sequence) : null,
  };
}

export function addressOf(id, sequence = null) {
  const message = sequence === null ? '' : `#${sequence}`;
  return id ? `/c/${encodeURIComponent(id)}${message}` : '/';
}

/** Writes the address without asking the server; a conversation that has just begun replaces `/`. */
export function setAddress({ id, sequence = null }, { replace = false } = {}) {
  const address = addressOf(id, sequence);
  if (address === window.location.pathname + window.location.hash) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', address);
}

/** Calls `onVisit({id, sequence})` for links inside the page, and for the browser's back and forward. */
export function watchAddress(onVisit) {
  window.addEventListener('popstate', () => onVisit(addressedPlace()));
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-conversation], a[data-new-chat]');
    if (!link || isForNewTab(event)) return;
    event.preventDefault();
    const place = addressedPlace(link);
    setAddress(place);
    onVisit(place);
  });
}

function isForNewTab(event) {
  return event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}
