/** Conversations and rounds over HTTP, one function a call; faults as in http.js. */

import { getJson, request, segment, sendJson } from './http.js';

export function listConversations({ before, limit = 30 } = {}) {
  return getJson('/api/conversations', { before, limit });
}

/** `changes` is {title?, mode?}; resolves to both as they are then. */
export async function changeConversation(id, changes) {
  const response = await sendJson('PATCH', conversationPath(id), changes);
  return response.json();
}

export function deleteConversation(id) {
  return request(conversationPath(id), { method: 'DELETE', keepalive: true }); // also from a page that is left
}

/** The newest page, or that before, after or around a sequence number. */
export function listMessages(id, { before, after, around, limit = 50, signal } = {}) {
  return getJson(`${conversationPath(id)}/messages`, { before, after, around, limit }, signal);
}

/** What the reply was given. Replies without `remembered` may have no trace: 404. */
export async function getTrace(id, sequence, signal) {
  const { trace } = await getJson(`${conversationPath(id)}/messages/${sequence}/trace`, {}, signal);
  return trace;
}

/** Or the whole round. `dryRun` only tells what would go. Resolves to the receipt. */
export async function deleteMessage(id, sequence, { round = false, dryRun = false } = {}) {
  const path = `${conversationPath(id)}/messages/${sequence}?round=${round}&dry_run=${dryRun}`;
  const response = await sendJson('DELETE', path);
  return response.json();
}

export function listAgents() {
  return getJson('/api/agents');
}

export function getStatus() {
  return getJson('/api/status');
}

/** Starts a round; the response's body is the reply's event stream. */
export function startRound(round, signal) {
  return sendJson('POST', '/chat', { ...round, stream: true }, signal);
}

export function retryReply(id, sequence, signal) {
  return sendJson('POST', `${replyPath(id, sequence)}/retry`, { stream: true }, signal);
}

/** Goes on with a reply that was cut; the stream brings what was there, too. */
export function continueReply(id, sequence, signal) {
  return sendJson('POST', `${replyPath(id, sequence)}/continue`, { stream: true }, signal);
}

/** Puts the newest question in other words; the response's body is the new reply's stream. */
export function editMessage(id, sequence, message, signal) {
  return sendJson('POST', `${replyPath(id, sequence)}/edit`, { message, stream: true }, signal);
}

export function stopReply(id, sequence) {
  return sendJson('POST', `${replyPath(id, sequence)}/stop`, {});
}

/** The reply's events after `lastEventId`, or all of them when it is null. */
export function resumeReply(id, sequence, lastEventId, signal) {
  const headers = { Accept: 'text/event-stream' };
  if (lastEventId) headers['Last-Event-ID'] = lastEventId;
  return request(`${replyPath(id, sequence)}/stream`, { headers, signal });
}

function conversationPath(id) {
  return `/api/conversations/${segment(id)}`;
}

function replyPath(id, sequence) {
  return `/chat/${segment(id)}/${sequence}`;
}
