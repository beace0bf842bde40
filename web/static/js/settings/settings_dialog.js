/** The dialog of settings. Its sections ask the server when it opens. */

import { prepareDialog } from '../page/dialogs.js';
import { prepareTokens } from './tokens.js';

export function prepareSettingsDialog() {
  const tokens = prepareTokens();
  const dialog = prepareDialog('settings', tokens.refresh);
  dialog.addEventListener('close', tokens.forget);
}
