/** One event that could not be delivered to a webhook. */

import { redeliver } from '../api/webhooks.js';
import { runAction } from '../page/action.js';
import { el, timeElement } from '../page/element.js';
import { announce } from '../page/notices.js';
import { t } from '../text/texts.js';

export class DeadLetterRow {
  element;
  #delivery = null; // the API's
  #text = el('p', {});
  #button = el('button', { type: 'button', class: 'action', onclick: () => this.#sendAgain() }, t('webhooks.redeliver'));
  #changed;

  constructor(changed) {
    this.#changed = changed;
    this.element = el('li', { class: 'token' }, el('div', { class: 'token-head' }, this.#text, this.#button));
  }

  show(delivery) {
    this.#delivery = delivery;
    const reason = delivery.http_status ?? delivery.error;
    this.#text.id = `delivery-${delivery.delivery_id}`;
    this.#text.replaceChildren(
      el('code', {}, delivery.type), ' ', timeElement(delivery.created_at), ' ', t('webhooks.reason', { reason }));
    this.#button.setAttribute('aria-describedby', this.#text.id);
  }

  async #sendAgain() {
    if (!(await runAction(this.element, () => redeliver(this.#delivery.delivery_id)))) return;
    announce(t('webhooks.redelivered'));
    this.#changed();
  }
}
