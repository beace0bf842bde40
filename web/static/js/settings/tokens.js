/** API tokens: a form that makes one, its text to copy once, and the list of those there are. */

import { listTokens, makeToken, revokeToken } from '../api/access.js';
import { ApiError } from '../api/errors.js';
import { createRefresh, runAction } from '../page/action.js';
import { copyButton } from '../page/copy_button.js';
import { confirmAction } from '../page/dialogs.js';
import { byId, el } from '../page/element.js';
import { KeyedRows } from '../page/keyed_rows.js';
import { announce } from '../page/notices.js';
import { t } from '../text/texts.js';
import { formatTime } from '../text/times.js';

/** Returns {refresh, forget}. `forget` removes the text of a new token from the page. */
export function prepareTokens() {
  const section = byId('tokens');
  const form = byId('token-form');
  const rows = new KeyedRows(byId('token-list'), (token) => token.token_id, () => new TokenRow(noteRevoked));

  const refresh = createRefresh(section, async () => {
    const { tokens, scopes } = await listTokens();
    rows.show(tokens);
    byId('no-tokens').hidden = tokens.length > 0;
    allowScopes(form, scopes);
  });

  async function noteRevoked() {
    await refresh();
    form.elements.name.focus();
  }

  async function make() {
    const wish = readForm(form);
    if (!wish.scopes.length) throw new ApiError({ code: 'no_scope' });
    const token = await makeToken(wish);
    form.reset();
    showOnce(token);
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await runAction(form, make)) refresh();
  });
  return { refresh, forget };
}

function readForm({ elements }) {
  const scopes = [...elements.scope].filter((box) => box.checked).map((box) => box.value);
  return {
    name: elements.name.value,
    scopes,
    expires_in_days: Number(elements.days.value) || null,
  };
}

/** A scope that the user may not give is not offered. */
function allowScopes({ elements }, scopes) {
  for (const box of elements.scope) {
    const isAllowed = scopes.includes(box.value);
    box.closest('label').hidden = !isAllowed;
    if (!isAllowed) box.checked = false;
  }
}

function showOnce({ name, token }) {
  const text = el('code', { tabindex: '0' }, token);
  const frame = byId('new-token');
  frame.replaceChildren(
    el('p', {}, t('tokens.made', { name })),
    el('div', { class: 'token-text' }, text, copyButton(() => token, t('tokens.copy'))),
  );
  frame.hidden = false;
  text.focus();
}

function forget() {
  byId('new-token').replaceChildren();
  byId('new-token').hidden = true;
}

/** One API token: what it may do, when it was used, and a button that revokes it. */
class TokenRow {
  element;
  #token = null; // the API's
  #name = el('strong', { dir: 'auto' });
  #prefix = el('code', {});
  #scopes = el('p', { class: 'about' });
  #times = el('p', { class: 'about' });
  #revoke = el('button', { type: 'button', class: 'action', onclick: () => this.#askAndRevoke() }, t('tokens.revoke'));
  #onRevoked;

  constructor(onRevoked) {
    this.#onRevoked = onRevoked;
    this.element = el('li', { class: 'token' },
      el('div', { class: 'token-head' }, el('p', {}, this.#name, ' ', this.#prefix), this.#revoke),
      this.#scopes,
      this.#times);
  }

  // The buttons of all rows look the same, so for screen readers their labels name the token.
  show(token) {
    this.#token = token;
    this.#name.textContent = token.name;
    this.#prefix.textContent = `${token.prefix}…`;
    this.#scopes.textContent = token.scopes.map((scope) => t(`scope.${scope}`)).join(' · ');
    this.#times.textContent = `${describeUse(token)} ${describeEnd(token)}`;
    this.#revoke.setAttribute('aria-label', t('tokens.revoke_of', { name: token.name }));
  }

  async #askAndRevoke() {
    const { name, token_id: id } = this.#token;
    const isAgreed = await confirmAction({
      title: t('tokens.revoke_title', { name }),
      text: t('tokens.revoke_text'),
      verb: t('tokens.revoke'),
    });
    if (!isAgreed || !(await runAction(this.element, () => revokeToken(id)))) return;
    announce(t('tokens.revoked', { name }));
    this.#onRevoked();
  }
}

function describeUse({ last_used_at: usedAt }) {
  return usedAt ? t('tokens.used', { time: formatTime(usedAt) }) : t('tokens.unused');
}

function describeEnd({ expires_at: expiresAt }) {
  if (!expiresAt) return t('tokens.endless');
  const isOver = new Date(expiresAt) <= new Date();
  return t(isOver ? 'tokens.expired' : 'tokens.expires', { time: formatTime(expiresAt) });
}
