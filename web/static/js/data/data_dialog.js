/** The dialog about a user's data as a whole: export, import, deletion. */

import { getStatus } from '../api/chat.js';
import { deleteUserData } from '../api/user_data.js';
import { runAction } from '../page/action.js';
import { prepareDialog } from '../page/dialogs.js';
import { byId } from '../page/element.js';
import { leaveForgotten, tellForgetting, tellForgotten } from '../page/forgetting.js';
import { t } from '../text/texts.js';

/**
 * The imports are loaded when the dialog is opened. `on.imported()` is called when an upload has ended
 * or a list is kept, `on.failed(error)` when they could not be loaded.
 */
export async function prepareDataDialog(on) {
  prepareDeletionForm(await getStatus());
  let loading = null;
  const load = async () => {
    const { prepareImportForm } = await import('./import_form.js');
    const { prepareMemoryList } = await import('./memory_list.js');
    const { showWaitingFiles } = await import('./waiting_files.js');
    prepareMemoryList(on.imported);
    return { ...prepareImportForm(on.imported), showWaitingFiles };
  };
  const dialog = prepareDialog('data', () => {
    loading ??= load();
    loading.then((form) => dialog.open && Promise.all([form.startPolling(), form.showWaitingFiles()])).catch((error) => {
      loading = null; // the next time it is tried again
      on.failed(error);
    });
  });
  dialog.addEventListener('close', () => loading?.then((form) => form.stopPolling()));
}

/** Everything is deleted only when the user has typed their own name. */
function prepareDeletionForm({ user_id: userId, user_name: name }) {
  const form = byId('forget-form');
  const { confirm } = form.elements;
  const button = form.querySelector('[type="submit"]');
  byId('forget-label').textContent = t('data.forget_confirm', { user: name });
  confirm.addEventListener('input', () => {
    button.disabled = confirm.value.trim() !== name.trim();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    runAction(form, () => forget(userId));
  });
}

async function forget(userId) {
  tellForgetting(true);
  try {
    await deleteUserData(userId);
  } catch (error) {
    tellForgetting(false);
    throw error;
  }
  tellForgotten();
  leaveForgotten();
}
