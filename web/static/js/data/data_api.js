/** All of a user's data at once: imports and the end of it all; faults as in http.js. */

import { ApiError, errorFrom } from '../errors.js';
import { getJson, segment, sendJson } from '../http.js';

/** The newest import, or null. */
export async function findNewestImport() {
  const { imports } = await getJson('/api/imports', { limit: 1 });
  return imports[0] ?? null;
}

export function getImport(id) {
  return getJson(`/api/imports/${segment(id)}`);
}

/** `confirm` is the user's own id. */
export function forgetEverything(confirm) {
  return sendJson('DELETE', '/api/me', { confirm });
}

/**
 * Sends the file itself; the browser reads it piece by piece. Resolves to the import.
 * `onProgress(share)` is told how much has been sent, from 0 to 1, which fetch cannot tell.
 */
export function uploadImport(file, onProgress) {
  const upload = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    upload.upload.addEventListener('progress', (event) => onProgress(event.loaded / (event.total || 1)));
    upload.addEventListener('error', () => reject(new ApiError({ code: 'network' })));
    upload.addEventListener('load', () => settle(upload, resolve, reject));
    upload.open('POST', '/api/import');
    upload.setRequestHeader('Content-Type', 'application/json');
    upload.send(file);
  });
}

async function settle({ status, responseText }, resolve, reject) {
  if (status === 200) resolve(JSON.parse(responseText));
  else reject(await errorFrom(new Response(responseText, { status })));
}
