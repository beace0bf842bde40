/** The API of projects. Errors are those of http.js. */

import { getWhole, sendJson } from './http.js';

const PROJECTS = '/api/v1/projects';

/** Resolves to {projects: [{name, count, …}]}, by name. */
export function listFolders() {
  return getWhole(PROJECTS, 'projects');
}

export function renameFolder(folder, name) {
  return sendJson('PATCH', `${PROJECTS}/${encodeURIComponent(folder)}`, { name });
}

/** Its conversations stay. */
export function deleteFolder(folder) {
  return sendJson('DELETE', `${PROJECTS}/${encodeURIComponent(folder)}`);
}

export function addFolder(name) {
  return sendJson('POST', PROJECTS, { name });
}
