/** The API of files for messages. */

import { ApiError, errorFrom } from './errors.js';
import { getJson, request } from './http.js';

const PATH = '/api/v1/attachments';

/** Where a file is read: an image is shown, all else is a download. */
export function attachmentPath(id) {
  return `${PATH}/${encodeURIComponent(id)}`;
}

/**
 * Uploads a file. `onProgress(share)` is called as it goes; fetch() tells nothing of that. Resolves
 * to the API's attachment.
 */
export function uploadFile(file, { signal, onProgress }) {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const fail = () => reject(new ApiError({ code: 'network' }));
    call.open('POST', `${PATH}?${new URLSearchParams({ name: file.name })}`);
    call.setRequestHeader('Content-Type', 'application/octet-stream');
    call.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total ? loaded / total : 0));
    call.addEventListener('load', () => readAnswer(call).then(resolve, reject));
    call.addEventListener('error', fail);
    call.addEventListener('abort', fail);
    signal.addEventListener('abort', () => call.abort());
    if (signal.aborted) fail();
    else call.send(file);
  });
}

/** Those that no message has yet, the oldest first. */
export function listWaitingFiles() {
  return getJson(PATH, { limit: 100 });
}

/** Deletes a file that was not sent. One that is gone already is no error. */
export async function deleteFile(id) {
  try {
    await request(attachmentPath(id), { method: 'DELETE', keepalive: true });
  } catch (error) {
    if (error.code !== 'not_found') throw error;
  }
}

async function readAnswer(call) {
  const retryAfter = call.getResponseHeader('Retry-After');
  const headers = retryAfter ? { 'Retry-After': retryAfter } : {};
  const response = new Response(call.responseText, { status: call.status, headers });
  if (!response.ok) throw await errorFrom(response);
  return response.json();
}
