/** The address bar: `/` is a new chat, `/c/<id>` a conversation. */

const CONVERSATION = /^\/c\/([^/]+)$/;

export function addressedId(path = window.location.pathname) {
  const found = CONVERSATION.exec(path);
  return found && decodeURIComponent(found[1]);
}

export function addressOf(id) {
  return id ? `/c/${encodeURIComponent(id)}` : '/';
}

/** Writes the address without asking the server; a conversation that has just begun replaces `/`. */
export function setAddress(id, { replace = false } = {}) {
  const address = addressOf(id);
  if (address === window.location.pathname) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', address);
}

/** Calls `onVisit(id | null)` for links inside the page and for the browser's back and forward. */
export function watchAddress(onVisit) {
  window.addEventListener('popstate', () => onVisit(addressedId()));
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-conversation], a[data-new-chat]');
    if (!link || isForNewTab(event)) return;
    event.preventDefault();
    setAddress(addressedId(link.pathname));
    onVisit(addressedId());
  });
}

function isForNewTab(event) {
  return event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}
