/** The API of prompts. Errors are those of http.js. */

import { getWhole, sendJson } from './http.js';

const PROMPTS = '/api/v1/prompts';

/** Resolves to {prompts: [{prompt_id, name, text}]}, by name. */
export function listPrompts() {
  return getWhole(PROMPTS, 'prompts');
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
