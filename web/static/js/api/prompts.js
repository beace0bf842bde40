/** The API of prompts. Errors are those of http.js. */

import { getJson, sendJson } from './http.js';

const PROMPTS = '/api/prompts';

/** Resolves to {prompts: [{prompt_id, name, text}]}, by name. */
export function listPrompts() {
  return getJson(PROMPTS);
}

export function addPrompt(prompt) {
  return sendJson('POST', PROMPTS, prompt);
}

export function changePrompt(id, changes) {
  return sendJson('PATCH', `${PROMPTS}/${id}`, changes);
}

export function deletePrompt(id) {
  return sendJson('DELETE', `${PROMPTS}/${id}`);
}
