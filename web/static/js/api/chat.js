/** The API of conversations, messages and replies. Errors are those of http.js. */

import { getJson, getWhole, postOnce, request, sendJson } from './http.js';

const PREVIEW_TIMEOUT_MS = 5000; // the reader waits for it

/**
 * Newest activity first. Either the archived ones, or all others, of which `pinned` takes a part, and
 * `project` those in it, or with '' those in none.
 */
export function listConversations({ cursor, pinned, archived, project, limit = 30 } = {}) {
  return getJson('/api/v1/conversations', { cursor, pinned, archived, project, limit });
}

/** `changes` is {title?, mode?, pinned?, archived?, project?}. Resolves to all, as they are after the change. */
export async function changeConversation(id, changes) {
  const response = await sendJson('PATCH', conversationPath(id), changes);
  return response.json();
}

/** The address of a conversation as a file: `markdown` or `json`. */
export function exportPath(id, format) {
  return `${conversationPath(id)}/export?format=${format}`;
}

/**
 * `choices` are arguments: `with_replies=true` also deletes replies elsewhere that repeat it. The request
 * is sent even when the reader closes the page. Resolves to the receipt.
 */
export async function deleteConversation(id, choices = '') {
  const path = choices ? `${conversationPath(id)}?${choices}` : conversationPath(id);
  const response = await request(path, { method: 'DELETE', keepalive: true });
  return response.json();
}

/** The receipt of what would be deleted with it. */
export async function previewDeletion(id, withReplies) {
  const path = `${conversationPath(id)}?dry_run=true&with_replies=${withReplies}`;
  const signal = AbortSignal.timeout(PREVIEW_TIMEOUT_MS);
  const response = await request(path, { method: 'DELETE', signal });
  return response.json();
}

/** The newest page, or the page before, after or around a sequence number. */
export function listMessages(id, { before, after, around, limit = 50, signal } = {}) {
  return getJson(`${conversationPath(id)}/messages`, { before, after, around, limit }, signal);
}

/** What the model was given for a reply. A reply without `remembered` may have no trace (404). */
export async function getTrace(id, sequence, signal) {
  const { trace } = await getJson(`${conversationPath(id)}/messages/${sequence}/trace`, {}, signal);
  return trace;
}

/** All variants of a reply, with their texts. */
export async function listVariants(id, sequence, signal) {
  const { variants } = await getWhole(`${conversationPath(id)}/messages/${sequence}/variants`, 'variants', {}, signal);
  return variants;
}

/** `changes` is {variant?, rating?}. Resolves to the API's message. */
export async function changeReply(id, sequence, changes) {
  const response = await sendJson('PATCH', `${conversationPath(id)}/messages/${sequence}`, changes);
  return response.json();
}

/** Resolves to {models: [{name, is_default, stand_in}]}: what a chat may choose. */
export function listModels() {
  return getWhole('/api/v1/models', 'models');
}

/**
 * Deletes a message, or its whole round, and `withReplies` the replies elsewhere that repeat it. With `dryRun` nothing is deleted. Resolves to the receipt
 * of what is or would be deleted.
 */
export async function deleteMessage(id, sequence, { round = false, withReplies = false, dryRun = false } = {}) {
  const choices = `round=${round}&with_replies=${withReplies}&dry_run=${dryRun}`;
  const path = `${conversationPath(id)}/messages/${sequence}?${choices}`;
  const response = await sendJson('DELETE', path);
  return response.json();
}

export function listAgents() {
  return getWhole('/api/v1/agents', 'agents');
}

export function getStatus() {
  return getJson('/api/v1/status');
}

/** Starts a round, with the same `key` only once. The response's body is the reply's event stream. */
export function startRound(round, { key, signal }) {
  return postOnce('/chat', { ...round, stream: true }, { key, signal });
}

/** Starts a round of a temporary chat. `chat` is {messages, agent?}: all that was said in it. */
export function startTemporaryRound(chat, signal) {
  return sendJson('POST', '/chat/temporary', { ...chat, stream: true }, signal);
}

export function retryReply(id, sequence, signal) {
  return sendJson('POST', `${replyPath(id, sequence)}/retry`, { stream: true }, signal);
}

/** Continues a reply that was cut off. The stream begins with the text that the reply has. */
export function continueReply(id, sequence, signal) {
  return sendJson('POST', `${replyPath(id, sequence)}/continue`, { stream: true }, signal);
}

/** Changes the newest user message. The response's body is the event stream of the new reply. */
export function editMessage(id, sequence, message, signal) {
  return sendJson('POST', `${replyPath(id, sequence)}/edit`, { message, stream: true }, signal);
}

/**
 * Sends a user message in other words, in a new conversation with the messages before it. The
 * response's body is the event stream of the reply there.
 */
export function branchMessage(id, sequence, message, signal) {
  return sendJson('POST', `${replyPath(id, sequence)}/branch`, { message, stream: true }, signal);
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
  return `/api/v1/conversations/${encodeURIComponent(id)}`;
}

function replyPath(id, sequence) {
  return `/chat/${encodeURIComponent(id)}/${sequence}`;
}
