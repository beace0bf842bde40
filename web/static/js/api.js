/** The HTTP API, one function a call. All throw `ApiError`, or AbortError when `signal` fires. */

import { ApiError, errorFrom, isAbort } from './errors.js';

const segment = encodeURIComponent;

export function listConversations({ before, limit = 30 } = {}) {
  return getJson('/api/conversations', { before, limit });
}

export function listMessages(id, { before, limit = 50, signal } = {}) {
  return getJson(`/api/conversations/${segment(id)}/messages`, { before, limit }, signal);
}

export function getMemory(id, signal) {
  return getJson(`/api/conversations/${segment(id)}/memory`, {}, signal);
}

export function listJobs(id, signal) {
  return getJson(`/api/conversations/${segment(id)}/jobs`, {}, signal);
}

export function listAgents() {
  return getJson('/api/agents');
}

export function getStatus() {
  return getJson('/api/status');
}

/** Starts a round; the response's body is the reply's event stream. */
export function startRound(round, signal) {
  return postJson('/chat', { ...round, stream: true }, signal);
}

export function retryReply(id, sequence, signal) {
  return postJson(`${replyPath(id, sequence)}/retry`, { stream: true }, signal);
}

export function stopReply(id, sequence) {
  return postJson(`${replyPath(id, sequence)}/stop`, {});
}

/** The reply's events after `lastEventId`, or all of them when it is null. */
export function resumeReply(id, sequence, lastEventId, signal) {
  const headers = { Accept: 'text/event-stream' };
  if (lastEventId) headers['Last-Event-ID'] = lastEventId;
  return request(`${replyPath(id, sequence)}/stream`, { headers, signal });
}

function replyPath(id, sequence) {
  return `/chat/${segment(id)}/${sequence}`;
}

async function getJson(path, query = {}, signal = undefined) {
  const given = Object.entries(query).filter(([, value]) => value != null);
  const search = given.length ? `?${new URLSearchParams(given)}` : '';
  const response = await request(path + search, { signal });
  return response.json();
}

function postJson(path, body, signal) {
  const headers = { 'Content-Type': 'application/json' };
  return request(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (cause) {
    throw isAbort(cause) ? cause : new ApiError({ code: 'network' });
  }
  if (!response.ok) throw await errorFrom(response);
  return response;
}
