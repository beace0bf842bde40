/** Requests to the site's own API. All throw `ApiError`, or AbortError when `signal` fires. */

import { ApiError, errorFrom, isAbort } from './errors.js';

export const segment = encodeURIComponent;

export async function getJson(path, query = {}, signal = undefined) {
  const given = Object.entries(query).filter(([, value]) => value != null);
  const search = given.length ? `?${new URLSearchParams(given)}` : '';
  const response = await request(path + search, { signal });
  return response.json();
}

/** Resolves to the response, whose body may be a stream. */
export function sendJson(method, path, body = undefined, signal = undefined) {
  const headers = { 'Content-Type': 'application/json', ...whereWeAre() };
  return request(path, { method, headers, body: body && JSON.stringify(body), signal });
}

// The server looks it up in its own list and does without one that it does not know.
function whereWeAre() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone ? { 'X-Time-Zone': timeZone } : {};
}

export async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (cause) {
    throw isAbort(cause) ? cause : new ApiError({ code: 'network' });
  }
  if (!response.ok) throw await errorFrom(response);
  return response;
}
