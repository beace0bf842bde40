/** Requests to the site's own API. They throw `ApiError`, or AbortError when `signal` fires. */

import { ApiError, errorFrom, isAbort } from './errors.js';

/** Leaves out the parameters of `query` that have no value. */
export async function getJson(path, query = {}, signal = undefined) {
  const parameters = Object.entries(query).filter(([, value]) => value != null);
  const search = parameters.length ? `?${new URLSearchParams(parameters)}` : '';
  const response = await request(path + search, { signal });
  return response.json();
}

/** Resolves to the response, whose body may be a stream. */
export function sendJson(method, path, body = undefined, signal = undefined) {
  const headers = { 'Content-Type': 'application/json', ...timeZoneHeader() };
  return request(path, { method, headers, body: body && JSON.stringify(body), signal });
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

// The server ignores a time zone that it does not know.
function timeZoneHeader() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone ? { 'X-Time-Zone': timeZone } : {};
}
