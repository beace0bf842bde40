/** The dialog of settings. Its sections ask the server when it opens. */

import { prepareDialog } from '../page/dialogs.js';
import { byId } from '../page/element.js';
import { prepareTabs } from '../page/tabs.js';
import { prepareActivity } from './activity.js';
import { prepareLookForm } from './look_form.js';
import { prepareMemoryInstructions } from './memory_instructions.js';
import { prepareNotifications } from './notifications.js';
import { prepareTokens } from './tokens.js';
import { prepareUsage } from './usage.js';
import { prepareWebhooks } from './webhooks.js';

/** `userId()` is the reader's id, `isTemporary()` tells whether a temporary chat is open. */
export function prepareSettingsDialog({ userId, isTemporary }) {
  prepareTabs(byId('settings-tabs'), () => byId('settings').scrollTo(0, 0));
  prepareLookForm(isTemporary);
  const withSecrets = [prepareTokens(), prepareWebhooks()];
  const sections = [prepareNotifications(), prepareMemoryInstructions(), ...withSecrets, prepareUsage(), prepareActivity(userId)];
  const dialog = prepareDialog('settings', () => sections.forEach((section) => section.refresh()));
  dialog.addEventListener('close', () => withSecrets.forEach((section) => section.forget()));
}
