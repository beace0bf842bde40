/** The API of models, for operators. Errors are those of http.js. */

import { getJson, getWhole, sendJson } from './http.js';

const SITE_MODELS = '/api/v1/operations/models';

/**
 * Resolves to {models, environment, environment_memory, environment_limits}: what operators have
 * set up, the names of the rest, which of these does memory's work ({name, memory_default,
 * notes_facts, examination} or null), and what each of the rest takes. A model has that as `limits`.
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

/** Resolves to [{name, protocol, address, prefix, key_page, local, models}]: who may be chosen, and what runs on the server's machine. */
export async function listProviders() {
  const { providers } = await getJson(`${SITE_MODELS}/providers`);
  return providers;
}

/** Resolves to {outcome, took_ms, detail, served, features, context_tokens}. */
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
