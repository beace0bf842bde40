/** The dialog about a user's data as a whole: export, import, deletion. */

import { deleteUserData } from '../api/user_data.js';
import { runAction } from '../page/action.js';
import { prepareDialog } from '../page/dialogs.js';
import { byId } from '../page/element.js';
import { clearStorage } from '../page/storage.js';
import { t } from '../text/texts.js';
import { prepareImportForm } from './import_form.js';

/** `onImported()` is called when an upload has ended. */
export function prepareDataDialog(onImported) {
  const importForm = prepareImportForm(onImported);
  const dialog = prepareDialog('data', importForm.startPolling);
  dialog.addEventListener('close', importForm.stopPolling);
}

/** Everything is deleted only when the user has typed their own name. */
export function prepareDeletionForm({ user_id: userId, user_name: name }) {
  const form = byId('forget-form');
  const { confirm } = form.elements;
  const button = form.querySelector('[type="submit"]');
  byId('forget-label').textContent = t('data.forget_confirm', { user: name });
  confirm.addEventListener('input', () => {
    button.disabled = confirm.value.trim() !== name.trim();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    runAction(form, async () => {
      await deleteUserData(userId);
      clearStorage();
      window.location.assign('/');
    });
  });
}
