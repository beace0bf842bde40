/** One API token: what it may do, when it was used, and a button that revokes it. */

import { revokeToken } from '../api/access.js';
import { runAction } from '../page/action.js';
import { confirmAction } from '../page/dialogs.js';
import { el } from '../page/element.js';
import { announce } from '../page/notices.js';
import { t } from '../text/texts.js';
import { formatTime } from '../text/times.js';

export class TokenRow {
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
