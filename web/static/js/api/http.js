/** Requests to the site's own API. They throw `ApiError`, or AbortError when `signal` fires. */

import { leaveIfAnothers } from './account.js';
import { ApiError, errorFrom, isAbort } from './errors.js';

const PAGE = 500; // the server takes its own largest number instead

/** Leaves out the parameters of `query` that have no value. */
export async function getJson(path, query = {}, signal = undefined) {
  const parameters = Object.entries(query).filter(([, value]) => value != null);
  const search = parameters.length ? `?${new URLSearchParams(parameters)}` : '';
  const response = await request(path + search, { signal });
  return response.json();
}

/** The whole list `name`, whose pages are read one after the other, in the first page's answer. */
export async function getWhole(path, name, query = {}, signal = undefined) {
  const whole = await getJson(path, { ...query, limit: PAGE }, signal);
  for (let cursor = whole.next_cursor; cursor; ) {
    const page = await getJson(path, { ...query, limit: PAGE, cursor }, signal);
    whole[name].push(...page[name]);
    cursor = page.next_cursor;
  }
  return whole;
}

/** Resolves to the response, whose body may be a stream. */
export function sendJson(method, path, body = undefined, signal = undefined) {
  return request(path, { method, headers: jsonHeaders(), body: body && JSON.stringify(body), signal });
}

/** What is sent again with the same `key` is done once. Without one it is done each time. */
export function postOnce(path, body, { key, signal }) {
  const headers = { ...jsonHeaders(), ...(key ? { 'Idempotency-Key': key } : {}) };
  return request(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

export async function request(path, options) {
  if (leaveIfAnothers()) throw new ApiError({ code: 'network' });
  let response;
  try {
    response = await fetch(path, options);
  } catch (cause) {
    throw isAbort(cause) ? cause : new ApiError({ code: 'network' });
  }
  document.dispatchEvent(new Event('answered'));
  if (!response.ok) throw await errorFrom(response);
  return response;
}

function jsonHeaders() {
  return { 'Content-Type': 'application/json', ...timeZoneHeader() };
}

// The server ignores a time zone that it does not know.
function timeZoneHeader() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone ? { 'X-Time-Zone': timeZone } : {};
}
