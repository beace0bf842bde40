/** Webhooks: a form that makes one, its secret to copy once, the list, and what was not delivered. */

import { addWebhook, listDeadLetters, listWebhooks, redeliver } from '../api/webhooks.js';
import { createRefresh, runAction } from '../page/action.js';
import { copyButton } from '../page/copy_button.js';
import { byId, el, timeElement } from '../page/element.js';
import { KeyedRows } from '../page/keyed_rows.js';
import { announce } from '../page/notices.js';
import { t } from '../text/texts.js';
import { WebhookRow } from './webhook_row.js';

/** Returns {refresh, forget}. `forget` removes a new secret from the page. */
export function prepareWebhooks() {
  const section = byId('webhooks');
  const form = byId('webhook-form');
  const createRow = () => new WebhookRow({ changed: () => refresh(), showSecret });
  const rows = new KeyedRows(byId('webhook-list'), (webhook) => webhook.webhook_id, createRow);
  const letters = new KeyedRows(byId('dead-letter-list'), (delivery) => delivery.delivery_id, () => new DeadLetterRow(() => refresh()));

  const refresh = createRefresh(section, async () => {
    const [{ webhooks }, { deliveries }] = await Promise.all([listWebhooks(), listDeadLetters()]);
    rows.show(webhooks);
    letters.show(deliveries);
    byId('no-webhooks').hidden = webhooks.length > 0;
    byId('dead-letters').hidden = deliveries.length === 0;
  });

  async function add() {
    const { url, with_text: withText } = form.elements;
    const webhook = await addWebhook({ url: url.value, with_text: withText.checked });
    form.reset();
    showSecret(webhook);
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await runAction(form, add)) refresh();
  });
  return { refresh, forget };
}

function showSecret({ secret }) {
  const text = el('code', { tabindex: '0' }, secret);
  const frame = byId('new-secret');
  frame.replaceChildren(
    el('p', {}, t('webhooks.made')),
    el('div', { class: 'token-text' }, text, copyButton(() => secret, t('webhooks.copy'))),
  );
  frame.hidden = false;
  text.focus();
}

function forget() {
  byId('new-secret').replaceChildren();
  byId('new-secret').hidden = true;
}

/** One event that could not be delivered to a webhook. */
class DeadLetterRow {
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
