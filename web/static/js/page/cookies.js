/** Choices that the server needs to know before it writes a page. */

const PREFIX = 'throughline-';
const KEPT_S = 365 * 24 * 3600;

/** An empty string if there is none. */
export function readCookie(name) {
  const start = `${PREFIX}${name}=`;
  const entry = document.cookie.split('; ').find((cookie) => cookie.startsWith(start));
  return entry?.slice(start.length) ?? '';
}

/** An empty value removes the cookie. */
export function writeCookie(name, value) {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${PREFIX}${name}=${value}; Path=/; Max-Age=${value ? KEPT_S : 0}; SameSite=Lax${secure}`;
}
