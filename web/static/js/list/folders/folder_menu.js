/** What the menu of a folder offers, and what its items do. */

import { deleteFolder, renameFolder } from '../../api/folders.js';
import { confirmAction } from '../../page/dialogs.js';
import { toggleMenu } from '../../page/menu.js';
import { announce } from '../../page/notices.js';
import { t } from '../../text/texts.js';
import { askFolderName } from '../menu/rename_dialog.js';
import { idOf } from './names.js';

/**
 * `on.begin(name)`: the reader wants a new chat there. `on.renamed(before, name)` and
 * `on.deleted(name)`: the server has done it; they resolve when the list is drawn.
 * `on.failed(error)`: it has not.
 */
export function openFolderMenu(button, name, on) {
  toggleMenu(button, t('list.more_about', { title: name }), [
    { label: t('folders.new_chat'), run: () => on.begin(name) },
    { label: t('list.rename'), run: () => rename(name, on) },
    { label: t('folders.delete'), run: () => remove(name, on).catch(on.failed), isGrave: true },
  ]);
}

function rename(before, on) {
  askFolderName(before, async (text) => {
    const response = await renameFolder(before, text);
    const { name } = await response.json();
    await on.renamed(before, name);
    return `${idOf(name)}-more`;
  });
}

async function remove(name, on) {
  const isSure = await confirmAction({
    title: t('folders.delete_title', { folder: name }), text: t('folders.delete_about'), verb: t('folders.delete'),
  });
  if (!isSure) return;
  await deleteFolder(name);
  await on.deleted(name);
  announce(t('folders.deleted', { folder: name }));
  document.querySelector('#list .new-chat').focus();
}
