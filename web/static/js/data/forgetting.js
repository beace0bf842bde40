/** Forgetting everything: only for who types their own id. */

import { attempt } from '../attempt.js';
import { byId } from '../element.js';
import { forgetKept } from '../kept.js';
import { t } from '../texts.js';
import { forgetEverything } from './data_api.js';

export function prepareForgetting(userId) {
  const form = byId('forget-form');
  const { confirm } = form.elements;
  const button = form.querySelector('[type="submit"]');
  byId('forget-label').textContent = t('data.forget_confirm', { user: userId });
  confirm.addEventListener('input', () => {
    button.disabled = confirm.value.trim() !== userId;
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(form, async () => {
      await forgetEverything(userId);
      forgetKept();
      window.location.assign('/');
    });
  });
}
