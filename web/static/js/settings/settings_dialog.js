/** The dialog of settings. Its sections ask the server when it opens. */

import { prepareDialog } from '../page/dialogs.js';
import { prepareTokens } from './tokens.js';
import { prepareWebhooks } from './webhooks.js';

export function prepareSettingsDialog() {
  const sections = [prepareTokens(), prepareWebhooks()];
  const dialog = prepareDialog('settings', () => sections.forEach((section) => section.refresh()));
  dialog.addEventListener('close', () => sections.forEach((section) => section.forget()));
}
