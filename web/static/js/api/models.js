/** The API of models. Those below `operations` are for operators. Errors are those of http.js. */

import { getWhole, sendJson } from './http.js';

const SITE_MODELS = '/api/v1/operations/models';

/** Resolves to {models: [{name, is_default, stand_in}]}: what a chat may choose. */
export function listModels() {
  return getWhole('/api/v1/models', 'models');
}

/**
 * Resolves to {models, environment, environment_memory}: what operators have set up, the names of
 * the rest, and which of these does memory's work: {name, memory_default, notes_facts, examination}
 * or null.
 */
export function listSiteModels() {
  return getWhole(SITE_MODELS, 'models');
}

/** Resolves to the model. */
export async function addModel(model) {
  const response = await sendJson('POST', SITE_MODELS, model);
  return response.json();
}

/** Resolves to the model. */
export async function changeModel(id, changes) {
  const response = await sendJson('PATCH', `${SITE_MODELS}/${id}`, changes);
  return response.json();
}

/**
 * Begins the examination of a model anew, and resolves to the model. Its `examination` grows while
 * a job is at work: {asked_count, notes, done, traps, believed, plain, lost, passed}.
 * `id`: `environment` for the environment's model for memory.
 */
export async function examineModel(id) {
  const response = await sendJson('POST', `${SITE_MODELS}/${id}/examination`);
  return response.json();
}

export function deleteModel(id) {
  return sendJson('DELETE', `${SITE_MODELS}/${id}`);
}

/** Resolves to {outcome, took_ms, detail, served}. */
export async function testModel(model) {
  const response = await sendJson('POST', `${SITE_MODELS}/test`, model);
  return response.json();
}

/** Resolves to the names that the server gives its models, or null. */
export async function listServed(place) {
  const response = await sendJson('POST', `${SITE_MODELS}/served`, place);
  const { served } = await response.json();
  return served;
}
