/** The API of a user's data as a whole: import and deletion. Errors are those of http.js. */

import { ApiError, errorFrom } from './errors.js';
import { getJson, sendJson } from './http.js';

/** The newest import, or null. */
export async function findNewestImport() {
  const { imports } = await getJson('/api/v1/imports', { limit: 1 });
  return imports[0] ?? null;
}

export function getImport(id) {
  return getJson(`/api/v1/imports/${encodeURIComponent(id)}`);
}

/** `userId` is the user's own id, which confirms that everything is to be deleted. */
export function deleteUserData(userId) {
  return sendJson('DELETE', '/api/v1/me', { confirm: userId });
}

/**
 * Uploads a file. The browser reads it in pieces, so it may be large. Resolves to the import.
 * `withBranches`: what another program no longer shows comes, too. `onProgress` is called with the share that has been sent, from 0 to 1; fetch could not report it.
 */
export function uploadImport(file, { withBranches, onProgress }) {
  const upload = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    upload.upload.addEventListener('progress', (event) => onProgress(event.loaded / (event.total || 1)));
    upload.addEventListener('error', () => reject(new ApiError({ code: 'network' })));
    upload.addEventListener('load', () => settle(upload, resolve, reject));
    upload.open('POST', `/api/v1/imports?with_branches=${withBranches}`);
    upload.setRequestHeader('Content-Type', 'application/json');
    upload.send(file);
  });
}

async function settle({ status, responseText }, resolve, reject) {
  if (status === 200) resolve(JSON.parse(responseText));
  else reject(await errorFrom(new Response(responseText, { status })));
}
