/** The API of access: API tokens, links to chats, the audit log, quotas. Errors are those of http.js. */

import { getJson, getWhole, sendJson } from './http.js';

/** Resolves to {tokens, scopes}: the user's tokens, and the scopes that a new one may have. */
export function listTokens() {
  return getWhole('/api/v1/tokens', 'tokens');
}

/** `options` are {name, scopes, expires_in_days}. Resolves to the token, with its text as `token`. */
export async function makeToken(options) {
  const response = await sendJson('POST', '/api/v1/tokens', options);
  return response.json();
}

/** What was done to the user's data, newest first. Resolves to {events, next_cursor}. */
export function listEvents(cursor) {
  return getJson('/api/v1/audit', { cursor, limit: 20 });
}

/** Resolves to {quotas}. */
export function listQuotas() {
  return getJson('/api/v1/me/quotas');
}

export function revokeToken(tokenId) {
  return sendJson('DELETE', `/api/v1/tokens/${tokenId}`);
}

/** The user's links to chats. Resolves to {shares}. */
export function listShares() {
  return getWhole('/api/v1/shares', 'shares');
}

/** A link to what a chat says until now. Null days are for ever. Resolves to it, with its `path`. */
export async function makeShare(conversationId, days) {
  const path = `/api/v1/conversations/${encodeURIComponent(conversationId)}/shares`;
  const response = await sendJson('POST', path, { expires_in_days: days });
  return response.json();
}

export function revokeShare(shareId) {
  return sendJson('DELETE', `/api/v1/shares/${shareId}`);
}
