/** The API of memory: summaries, jobs, facts, episodes, search. Errors are those of http.js. */

import { getJson, sendJson } from './http.js';

export function getMemory(id, signal) {
  return getJson(`${conversationPath(id)}/summaries`, {}, signal);
}

export function listJobs(id, signal) {
  return getJson(`${conversationPath(id)}/jobs`, {}, signal);
}

/** Starts a failed job again. 409 when such a job is in progress, or when nothing is left to do. */
export function runJob(id, kind) {
  return sendJson('POST', `${conversationPath(id)}/jobs/${encodeURIComponent(kind)}/run`);
}

/** The current version of each fact. `listVersions` has the others. */
export function listFacts(signal) {
  return getJson('/api/facts', {}, signal);
}

export function listVersions(factId) {
  return getJson(`/api/facts/${factId}/versions`);
}

/** `text` is a sentence. */
export function addFact(text) {
  return sendJson('POST', '/api/facts/sentences', { text });
}

/** `change` is {value}, or {text}: a whole sentence. */
export function correctFact(factId, change) {
  return sendJson('PATCH', `/api/facts/${factId}`, change);
}

export function undoReplacement(factId) {
  return sendJson('POST', `/api/facts/${factId}/undo`);
}

export function deleteFact(factId) {
  return sendJson('DELETE', `/api/facts/${factId}`);
}

/** What the messages of a conversation have taught. */
export function listLessons(id, signal) {
  return getJson(`${conversationPath(id)}/lessons`, {}, signal);
}

/** Uncertain facts that wait for the user to confirm or dismiss them. */
export function listSuggestions(signal) {
  return getJson('/api/facts/suggestions', {}, signal);
}

export function confirmSuggestion(id) {
  return sendJson('POST', `/api/facts/suggestions/${id}/confirm`);
}

export function dismissSuggestion(id) {
  return sendJson('DELETE', `/api/facts/suggestions/${id}`);
}

/**
 * Deletes a fact, the messages it was learned from, and the replies that repeat it. With `dryRun`
 * nothing is deleted. Resolves to the receipt of what is or would be deleted.
 */
export async function forgetFact(factId, { dryRun = false } = {}) {
  const response = await sendJson('DELETE', `/api/facts/${factId}?everywhere=true&dry_run=${dryRun}`);
  return response.json();
}

/** Episodes of one conversation, or of all when `conversationId` is null. */
export function listEpisodes({ conversationId = null, before, limit = 10, signal } = {}) {
  return getJson('/api/episodes', { conversation_id: conversationId, before, limit }, signal);
}

export function deleteEpisode(id) {
  return sendJson('DELETE', `/api/episodes/${id}`);
}

/** `query` is {q, since?, as_of?, role?, conversation_id?}. A message's `match` is exact or related. */
export function searchMemory(query, signal) {
  return getJson('/api/search', query, signal);
}

function conversationPath(id) {
  return `/api/conversations/${encodeURIComponent(id)}`;
}
