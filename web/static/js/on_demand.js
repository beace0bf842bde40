/** Parts that few visits need at once: they are loaded when they are opened. */

import { notifyError } from './page/failures.js';

let palette = null;

/** `page` is what the palette shows and does; see there. */
export async function openPalette(page) {
  const { Palette } = await import('./palette/palette.js');
  palette ??= new Palette(page);
  palette.open();
}

/** The settings of a project, or for null a new one; see there. */
export async function openProject(name, saved) {
  const { openProjectDialog } = await import('./chat/projects/project_dialog.js');
  await openProjectDialog(name, saved);
}

/** For a conversation, {id, title}. */
async function openShareDialog(conversation) {
  const shareDialog = await import('./list/menu/share_dialog.js');
  shareDialog.openShareDialog(conversation);
}

/**
 * Asks before a conversation is deleted which others repeat; see there. Of replies elsewhere only a
 * server that can be reached knows. What it deletes later is told, too. `start(choices)` deletes.
 */
export async function confirmDeletion(id, title, start) {
  const { askAboutReplies } = await import('./list/conversation_erasure.js');
  const choices = await askAboutReplies(id, title);
  if (choices !== null) start(choices);
}

/** Tells what was deleted beside what the reader sees; see there. */
export async function tellDeletion(receipt) {
  const { tellErasure } = await import('./page/erasure_preview.js');
  tellErasure(receipt);
}

/**
 * Loads the settings, the dialog about all data and that of the open chat when they are opened for the
 * first time. `on.userId()` is the reader's id. `on.imported()` is called when the server has read what
 * the reader has given it, `on.remove(id)` when the conversation is to be deleted.
 */
export function prepareDialogs(chat, header, on) {
  loadOnClick('settings', async () => {
    const { prepareSettingsDialog } = await import('./settings/settings_dialog.js');
    prepareSettingsDialog({ userId: on.userId, isTemporary: () => chat.isTemporary });
  });
  loadOnClick('data', async () => {
    const { prepareDataDialog } = await import('./data/data_dialog.js');
    await prepareDataDialog({ imported: on.imported, failed: notifyError });
  });
  loadOnClick('conversation', async () => {
    const { prepareConversationDialog } = await import('./chat/header/conversation_dialog.js');
    prepareConversationDialog(chat, header, {
      remove: on.remove,
      share: (conversation) => openShareDialog(conversation).catch(notifyError),
    });
  });
}

function loadOnClick(dialog, load) {
  const opener = document.querySelector(`[data-opens-dialog="${dialog}"]`);
  const listen = () => opener.addEventListener('click', open, { once: true });
  const open = () => load().then(() => opener.click(), (error) => { // again: the dialog has not heard the first
    notifyError(error);
    listen();
  });
  listen();
}
