/** The API of access: API tokens. Errors are those of http.js. */

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

export function revokeToken(tokenId) {
  return sendJson('DELETE', `/api/tokens/${tokenId}`);
}
