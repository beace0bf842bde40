/** The API of webhooks. Errors are those of http.js. */

import { getJson, getWhole, sendJson } from './http.js';

/** Resolves to {webhooks, event_types}. */
export function listWebhooks() {
  return getWhole('/api/v1/webhooks', 'webhooks');
}

/** `options` are {url, with_text}. Resolves to the webhook, with its `secret`. */
export async function addWebhook(options) {
  const response = await sendJson('POST', '/api/v1/webhooks', options);
  return response.json();
}

export function setEnabled(id, enabled) {
  return sendJson('PATCH', `/api/v1/webhooks/${id}`, { enabled });
}

/** Resolves to the webhook, with its new `secret`. */
export async function rotateSecret(id) {
  const response = await sendJson('POST', `/api/v1/webhooks/${id}/rotate`);
  return response.json();
}

export function sendTest(id) {
  return sendJson('POST', `/api/v1/webhooks/${id}/test`);
}

export function deleteWebhook(id) {
  return sendJson('DELETE', `/api/v1/webhooks/${id}`);
}

/** The newest deliveries that are tried no more. */
export function listDeadLetters() {
  return getJson('/api/v1/webhooks/deliveries', { status: 'dead', limit: 50 });
}

export function redeliver(id) {
  return sendJson('POST', `/api/v1/webhooks/deliveries/${id}/redeliver`);
}
