/** The API of projects. Errors are those of http.js. */

import { getJson, getWhole, sendJson } from './http.js';

const PROJECTS = '/api/v1/projects';

/** Resolves to {projects: [{name, instructions, persona_id, model, own_memory, count, chat_count, fact_count}]}, by name. */
export function listProjects() {
  return getWhole(PROJECTS, 'projects');
}

/** The project's name if it has its own memory. Null where its chats share the memory of all others. */
export async function findMemory(name, signal) {
  if (name === null) return null;
  const { projects } = await getWhole(PROJECTS, 'projects', {}, signal);
  return projects.find((project) => project.name === name)?.own_memory ? name : null;
}

export function getProject(name) {
  return getJson(projectPath(name));
}

/** `fields` are {name, instructions?, persona_id?, model?, own_memory?}. Resolves to the project. */
export async function addProject(fields) {
  const response = await sendJson('POST', PROJECTS, fields);
  return response.json();
}

export async function changeProject(name, fields) {
  const response = await sendJson('PATCH', projectPath(name), fields);
  return response.json();
}

/** Its conversations stay. `shares`: what is in its own memory goes to the one that all others share. */
export function deleteProject(name, shares) {
  return shares ? sendJson('DELETE', `${projectPath(name)}?chats=share`) : sendJson('DELETE', projectPath(name));
}

/** Resolves to {files: [...]}: the API's attachments that every chat of the project may use, the oldest first. */
export function listProjectFiles(name) {
  return getWhole(filesPath(name), 'files');
}

/** The file was uploaded, and no message has it. Resolves to it as a file of the project. */
export async function addProjectFile(name, id) {
  const response = await sendJson('POST', filesPath(name), { attachment_id: id });
  return response.json();
}

export function deleteProjectFile(name, id) {
  return sendJson('DELETE', `${filesPath(name)}/${encodeURIComponent(id)}`);
}

/** What moving a conversation to a project (null: out of any) would do. Nothing is changed. */
export function previewMove(id, project) {
  return getJson(`/api/v1/conversations/${encodeURIComponent(id)}/move`, { project });
}

function projectPath(name) {
  return `${PROJECTS}/${encodeURIComponent(name)}`;
}

function filesPath(name) {
  return `${PROJECTS}/${encodeURIComponent(name)}/files`;
}
