/** The dialog of settings. Its sections ask the server when it opens. */

import { prepareDialog } from '../page/dialogs.js';
import { prepareActivity } from './activity.js';
import { prepareTokens } from './tokens.js';
import { prepareUsage } from './usage.js';
import { prepareWebhooks } from './webhooks.js';

/** `userId()` is the reader's id. */
export function prepareSettingsDialog(userId) {
  const withSecrets = [prepareTokens(), prepareWebhooks()];
  const sections = [...withSecrets, prepareUsage(), prepareActivity(userId)];
  const dialog = prepareDialog('settings', () => sections.forEach((section) => section.refresh()));
  dialog.addEventListener('close', () => withSecrets.forEach((section) => section.forget()));
}
