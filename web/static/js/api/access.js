/** The API of access: API tokens, the audit log, quotas. Errors are those of http.js. */

import { getJson, sendJson } from './http.js';

/** Resolves to {tokens, scopes}: the user's tokens, and the scopes that a new one may have. */
export function listTokens() {
  return getJson('/api/tokens');
}

/** `wanted` is {name, scopes, expires_in_days}. Resolves to the token, with its text as `token`. */
export async function makeToken(wanted) {
  const response = await sendJson('POST', '/api/tokens', wanted);
  return response.json();
}

/** What was done to the user's data, newest first. Resolves to {events, next}. */
export function listEvents(before) {
  return getJson('/api/audit', { before, limit: 20 });
}

/** Resolves to {quotas}. */
export function listQuotas() {
  return getJson('/api/me/quotas');
}

export function revokeToken(tokenId) {
  return sendJson('DELETE', `/api/tokens/${tokenId}`);
}
