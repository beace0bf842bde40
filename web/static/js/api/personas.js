/** The API of personas. Errors are those of http.js. */

import { getWhole, sendJson } from './http.js';

const PERSONAS = '/api/v1/personas';

/** Resolves to {personas: [{persona_id, name, instructions, model, mode}]}. */
export function listPersonas() {
  return getWhole(PERSONAS, 'personas');
}

export function addPersona(persona) {
  return sendJson('POST', PERSONAS, persona);
}

export function changePersona(id, changes) {
  return sendJson('PATCH', `${PERSONAS}/${id}`, changes);
}

export function deletePersona(id) {
  return sendJson('DELETE', `${PERSONAS}/${id}`);
}
