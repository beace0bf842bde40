/** The API of folders. A folder is there as long as a conversation is in it. Errors are those of http.js. */

import { getWhole, sendJson } from './http.js';

const FOLDERS = '/api/v1/folders';

/** Resolves to {folders: [{name, count}]}, by name. */
export function listFolders() {
  return getWhole(FOLDERS, 'folders');
}

export function renameFolder(folder, name) {
  return sendJson('PATCH', `${FOLDERS}/${encodeURIComponent(folder)}`, { name });
}

/** Its conversations stay. */
export function deleteFolder(folder) {
  return sendJson('DELETE', `${FOLDERS}/${encodeURIComponent(folder)}`);
}
