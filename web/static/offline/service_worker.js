/**
 * The service worker: shows a page of its own where the server cannot be reached. It keeps that page
 * and the files that it is drawn with, and nothing that belongs to a user: no answer of the API and no
 * chat ever passes through its cache. The server writes `VERSION` and `KEPT` above this text
 * (web/views/install.py), so that it is another worker whenever one of the files has changed.
 */
/* global VERSION, KEPT */

const CACHE = `throughline-${VERSION}`;
const OFFLINE_PAGE = '/offline';

self.addEventListener('install', (event) => {
  event.waitUntil(keepFiles());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOthers());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => findKept(OFFLINE_PAGE)));
  else if (KEPT.includes(new URL(request.url).pathname)) event.respondWith(findOrFetch(request));
});

// A page tells of a reply.
self.addEventListener('message', (event) => {
  const { heading, options } = event.data;
  const data = { address: options.tag, page: event.source.id };
  event.waitUntil(self.registration.showNotification(heading, { ...options, data }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showChat(event.notification.data));
});

async function keepFiles() {
  const cache = await caches.open(CACHE);
  // The files are never changed at their addresses: what the browser has of them is not loaded again.
  await cache.addAll([new Request(OFFLINE_PAGE, { cache: 'reload' }), ...KEPT]);
  await self.skipWaiting();
}

async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
  await self.clients.claim();
}

function findKept(address) {
  return caches.match(address, { cacheName: CACHE });
}

async function findOrFetch(request) {
  return (await findKept(request.url)) ?? fetch(request);
}

// The page that told of the reply shows its chat. To load an address there would end a temporary chat.
async function showChat({ address, page: id }) {
  const page = await self.clients.get(id);
  if (!page) return self.clients.openWindow(address);
  page.postMessage({ address });
  return page.focus();
}
