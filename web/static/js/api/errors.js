/** The one error type for requests to the server, and its texts. */

import { hasText, t } from '../text/texts.js';

const DEFAULT_RETRY_S = 3;
const FIELD = /^[a-z][a-z0-9_.]*: (.)/; // of a form of the API, before what is wrong with it

/** `code` is the API's, or `network` or `connection_lost` when no answer came. */
export class ApiError extends Error {
  constructor({ code, message = '', status = 0, retryAfter = null }) {
    super(message || code);
    Object.assign(this, { code, status, retryAfter, serverMessage: message });
  }
}

/** A sentence for the reader: translated for known codes, otherwise the server's own message, without names of fields. */
export function describeError({ code, serverMessage, retryAfter }) {
  if (hasText(`error.${code}`)) {
    return t(`error.${code}`, { seconds: retryAfter ?? DEFAULT_RETRY_S });
  }
  const message = serverMessage?.replace(FIELD, (_, letter) => letter.toLocaleUpperCase());
  return message || t('error.unknown', { code });
}

/** Whether a request was cancelled, for example because the reader left the conversation. */
export function isAbort(error) {
  return error.name === 'AbortError';
}

/** The error of what was cancelled without a request. */
export function createAbortError() {
  return new DOMException('', 'AbortError');
}

/** Resolves to whether `work()` was done. `failed(error)` is told, unless it was cancelled. */
export async function runOrTell(work, failed) {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isAbort(error)) failed(error);
    return false;
  }
}

export async function errorFrom(response) {
  const body = await response.json().catch(() => ({}));
  // `POST /chat` has its own form; all other addresses answer with a problem.
  const { code, message } = body.error ?? { code: body.code, message: body.detail };
  return new ApiError({
    code: code ?? `http_${response.status}`,
    message,
    status: response.status,
    retryAfter: Number(response.headers.get('Retry-After')) || null,
  });
}
