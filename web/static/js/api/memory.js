/** The API of memory: summaries, jobs, facts, episodes, search. Errors are those of http.js. */

import { getJson, getWhole, request, sendJson } from './http.js';

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

/** `text`: what the user wants memory to note as facts. */
export function getMemoryInstructions() {
  return getJson('/api/v1/me/memory-instructions');
}

export async function setMemoryInstructions(text) {
  const response = await sendJson('PUT', '/api/v1/me/memory-instructions', { text });
  return response.json();
}

/**
 * The current version of each fact in a memory: the name of a project with its own, or null for the one
 * that all other chats share. `listVersions` has the others.
 */
export function listFacts(memory, signal) {
  return getWhole('/api/v1/facts', 'facts', { project: memory }, signal);
}

export function listVersions(factId) {
  return getWhole(`/api/v1/facts/${factId}/versions`, 'versions');
}

/** `text` is a sentence. */
export function addFact(text, memory) {
  return sendJson('POST', '/api/v1/facts/sentences', memory === null ? { text } : { text, project: memory });
}

/** What a list of another assistant's memory would state. Nothing is learned by it. */
export async function previewMemoryList(text) {
  const response = await sendJson('POST', '/api/v1/facts/lists/preview', { text });
  return response.json();
}

/** `facts` are {category, key, value} of such a list. */
export async function keepFacts(facts) {
  const response = await sendJson('POST', '/api/v1/facts/lists', { facts });
  return response.json();
}

/** `change` is {value}, or {text}: a whole sentence. */
export function correctFact(factId, change) {
  return sendJson('PATCH', `/api/v1/facts/${factId}`, change);
}

/** Also of what a tidying did to the fact. */
export function undoReplacement(factId) {
  return sendJson('POST', `/api/v1/facts/${factId}/undo`);
}

/** What has ended facts that say the same thing as others, and when. */
export function getTidying(memory, signal) {
  return getJson('/api/v1/me/tidying', { project: memory }, signal);
}

/** 409 when it is under way, or when nothing was said yet. */
export function tidyUp() {
  return sendJson('POST', '/api/v1/me/tidying');
}

export function deleteFact(factId) {
  return sendJson('DELETE', `/api/v1/facts/${factId}`);
}

/** What the messages of a conversation have taught. */
export function listLessons(id, signal) {
  return getJson(`${conversationPath(id)}/lessons`, {}, signal);
}

/** Remembers again what a message asks not to remember, or to forget. */
export function endWithholding(id, sequence) {
  return sendJson('DELETE', `${conversationPath(id)}/messages/${sequence}/withholding`);
}

/** Uncertain facts that wait for the user to confirm or dismiss them. */
export function listSuggestions(memory, signal) {
  return getWhole('/api/v1/facts/suggestions', 'suggestions', { project: memory }, signal);
}

export function confirmSuggestion(id) {
  return sendJson('POST', `/api/v1/facts/suggestions/${id}/confirm`);
}

/** Those that wait no more are passed over. */
export function confirmSuggestions(ids) {
  return sendJson('POST', '/api/v1/facts/suggestions/confirm', { suggestion_ids: ids });
}

export function dismissSuggestion(id) {
  return sendJson('DELETE', `/api/v1/facts/suggestions/${id}`);
}

/**
 * Deletes a fact, the messages it was learned from, and the replies that repeat it. `choices` are
 * further arguments; with `dry_run=true` nothing is deleted. Resolves to the receipt of what is or would
 * be deleted. The request is sent even when the reader closes the page.
 */
export async function forgetFact(factId, choices = '') {
  const path = `/api/v1/facts/${factId}?everywhere=true&${choices}`;
  const response = await request(path, { method: 'DELETE', keepalive: true });
  return response.json();
}

/** Episodes of one conversation, or of all in a memory when `conversationId` is null. */
export function listEpisodes({ conversationId = null, memory = null, cursor, limit = 10, signal } = {}) {
  return getJson('/api/v1/episodes', { conversation_id: conversationId, project: memory, cursor, limit }, signal);
}

export function deleteEpisode(id) {
  return sendJson('DELETE', `/api/v1/episodes/${id}`);
}

/** `query` is {q, since?, as_of?, role?, conversation_id?, project?}. A message's `match` is exact or related. */
export function searchMemory(query, signal) {
  return getJson('/api/v1/search', query, signal);
}

function conversationPath(id) {
  return `/api/v1/conversations/${encodeURIComponent(id)}`;
}
