/** One kind of error for whatever goes wrong between the page and the server. */

import { has, t } from './texts.js';

const DEFAULT_BUSY_S = 3;

/** `code` is the API's, or `network` / `connection_lost` when no answer came at all. */
export class ApiError extends Error {
  constructor({ code, message = '', status = 0, retryAfter = null }) {
    super(message || code);
    Object.assign(this, { code, status, retryAfter, said: message });
  }
}

/** A sentence for people. Known codes are translated, others show what the server said. */
export function sentence({ code, said, retryAfter }) {
  if (has(`error.${code}`)) {
    return t(`error.${code}`, { seconds: retryAfter ?? DEFAULT_BUSY_S });
  }
  return said || t('error.unknown', { code });
}

/** Leaving a conversation aborts what it was waiting for; that is no fault. */
export function isAbort(error) {
  return error.name === 'AbortError';
}

export async function errorFrom(response) {
  const body = await response.json().catch(() => ({}));
  return new ApiError({
    code: body.error?.code ?? `http_${response.status}`,
    message: body.error?.message,
    status: response.status,
    retryAfter: Number(response.headers.get('Retry-After')) || null,
  });
}
