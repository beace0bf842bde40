/** What is remembered, over HTTP, one function a call; faults as in http.js. */

import { getJson, segment, sendJson } from './http.js';

export function getMemory(id, signal) {
  return getJson(`/api/conversations/${segment(id)}/memory`, {}, signal);
}

export function listJobs(id, signal) {
  return getJson(`/api/conversations/${segment(id)}/jobs`, {}, signal);
}

/** Claims anew what failed; 409 when a job of that kind waits or runs, or nothing is left to do. */
export function runJob(id, kind) {
  return sendJson('POST', `/api/conversations/${segment(id)}/jobs/${segment(kind)}/run`);
}

/** The current facts; a fact's other versions are `listVersions`'. */
export function listFacts(signal) {
  return getJson('/api/facts', {}, signal);
}

export function listVersions(factId) {
  return getJson(`/api/facts/${factId}/versions`);
}

/** `fact` is {category, key, value}. */
export function addFact(fact) {
  return sendJson('POST', '/api/facts', fact);
}

export function correctFact(factId, value) {
  return sendJson('PATCH', `/api/facts/${factId}`, { value });
}

export function undoReplacement(factId) {
  return sendJson('POST', `/api/facts/${factId}/undo`);
}

export function deleteFact(factId) {
  return sendJson('DELETE', `/api/facts/${factId}`);
}

/** What may be so, and waits for the user's word. */
export function listSuggestions(signal) {
  return getJson('/api/facts/suggestions', {}, signal);
}

export function confirmSuggestion(id) {
  return sendJson('POST', `/api/facts/suggestions/${id}/confirm`);
}

export function dismissSuggestion(id) {
  return sendJson('DELETE', `/api/facts/suggestions/${id}`);
}

/** With what taught it and what says it. `dryRun` only tells what would go. Resolves to the receipt. */
export async function forgetFact(factId, { dryRun = false } = {}) {
  const response = await sendJson('DELETE', `/api/facts/${factId}?everywhere=true&dry_run=${dryRun}`);
  return response.json();
}

/** Of one conversation, or of all when `conversationId` is null. */
export function listEpisodes({ conversationId = null, before, limit = 10, signal } = {}) {
  return getJson('/api/episodes', { conversation_id: conversationId, before, limit }, signal);
}

export function deleteEpisode(id) {
  return sendJson('DELETE', `/api/episodes/${id}`);
}

export function searchMemory(query, signal) {
  return getJson('/api/search', { q: query }, signal);
}
