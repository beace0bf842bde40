/** One webhook: its address, its deliveries, and what the reader can do with it. */

import { deleteWebhook, rotateSecret, sendTest, setEnabled } from '../api/webhooks.js';
import { runAction } from '../page/action.js';
import { confirmAction } from '../page/dialogs.js';
import { el } from '../page/element.js';
import { announce } from '../page/notices.js';
import { t } from '../text/texts.js';

export class WebhookRow {
  element;
  #webhook = null; // the API's
  #url = el('strong', { dir: 'auto' });
  #counts = el('p', { class: 'about' });
  #toggle = createButton(() => this.#do(() => setEnabled(this.#webhook.webhook_id, !this.#webhook.enabled)));
  #test = createButton(() => this.#sendTest(), 'webhooks.test');
  #rotate = createButton(() => this.#askAndRotate(), 'webhooks.rotate');
  #delete = createButton(() => this.#askAndDelete(), 'webhooks.delete');
  #changed;
  #showSecret;

  constructor({ changed, showSecret }) {
    this.#changed = changed;
    this.#showSecret = showSecret;
    this.element = el('li', { class: 'token' },
      el('p', {}, this.#url),
      this.#counts,
      el('div', { class: 'actions' }, this.#test, this.#toggle, this.#rotate, this.#delete));
  }

  // The buttons of all rows look the same, so for screen readers they are described by the address.
  show(webhook) {
    this.#webhook = webhook;
    this.#url.textContent = webhook.url;
    this.#url.id = `webhook-${webhook.webhook_id}`;
    const { pending, delivered, dead } = webhook.deliveries;
    const state = webhook.enabled ? '' : `${t('webhooks.off')} `;
    this.#counts.textContent = state + t('webhooks.counts', { pending, delivered, dead });
    this.#toggle.textContent = t(webhook.enabled ? 'webhooks.disable' : 'webhooks.enable');
    this.#test.hidden = !webhook.enabled;
    for (const button of this.element.querySelectorAll('button')) {
      button.setAttribute('aria-describedby', this.#url.id);
    }
  }

  async #sendTest() {
    if (await this.#do(() => sendTest(this.#webhook.webhook_id))) announce(t('webhooks.test_sent'));
  }

  async #askAndRotate() {
    const question = { title: t('webhooks.rotate_title'), text: t('webhooks.rotate_text'), verb: t('webhooks.rotate') };
    if (!(await confirmAction(question))) return;
    await this.#do(async () => this.#showSecret(await rotateSecret(this.#webhook.webhook_id)));
  }

  async #askAndDelete() {
    const question = { title: t('webhooks.delete_title'), text: t('webhooks.delete_text'), verb: t('webhooks.delete') };
    if (await confirmAction(question)) await this.#do(() => deleteWebhook(this.#webhook.webhook_id));
  }

  async #do(work) {
    const isDone = await runAction(this.element, work);
    if (isDone) this.#changed();
    return isDone;
  }
}

function createButton(onclick, text = null) {
  return el('button', { type: 'button', class: 'action', onclick }, text && t(text));
}
