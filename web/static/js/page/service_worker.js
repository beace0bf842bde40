/** Registers the service worker, which has a page to show while there is no connection. */

/** After everything else is loaded. Without a worker, such as on a site without TLS, the page works, too. */
export function registerWorker() {
  if (!('serviceWorker' in navigator)) return;
  window.addEventListener('load', () => {
    navigator.serviceWorker.register('/service-worker.js').catch(() => {});
  });
}
