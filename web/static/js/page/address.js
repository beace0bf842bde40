/** The address bar: `/` is a new chat, `/c/<id>` a conversation, `/c/<id>#<number>` a message. */

const CONVERSATION = /^\/c\/([^/]+)$/;
const MESSAGE = /^#(\d+)$/;

/** {id, sequence} of the current address or of a link. Each may be null. */
export function readAddress({ pathname, hash } = window.location) {
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

/** Changes the address without loading a page. With `replace`, no entry is added to the history. */
export function setAddress({ id, sequence = null }, { replace = false } = {}) {
  const address = addressOf(id, sequence);
  if (address === window.location.pathname + window.location.hash) return;
  if (replace) window.history.replaceState(null, '', address);
  else window.history.pushState(null, '', address);
}

/** Calls `onVisit({id, sequence})` for links within the page, and for Back and Forward. */
export function watchAddress(onVisit) {
  window.addEventListener('popstate', () => onVisit(readAddress()));
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-conversation], a[data-new-chat]');
    if (!link || opensNewTab(event)) return;
    event.preventDefault();
    const target = readAddress(link);
    setAddress(target);
    onVisit(target);
  });
}

function opensNewTab(event) {
  return event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}
