/** Parts that few visits need at once: they are loaded when they are opened. */

let palette = null;

/** `page` is what the palette shows and does; see there. */
export async function openPalette(page) {
  const { Palette } = await import('./palette/palette.js');
  palette ??= new Palette(page);
  palette.open();
}

/** For a conversation, {id, title}. */
export async function openShareDialog(conversation) {
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

/** Asks before a message or its round is deleted; see there. */
export async function openErasure(...message) {
  const { eraseMessage } = await import('./chat/messages/message_erasure.js');
  await eraseMessage(...message);
}

/**
 * Loads the settings, the dialog about all data and that of a conversation when they are opened for
 * the first time. `reader.userId()` is the reader's id, `reader.isTemporary()` tells whether a temporary
 * chat is open, `reader.conversation()` is the open one. `on.failed(error)` is told why one could not
 * be loaded; for the others see the dialogs.
 */
export function prepareDialogs(reader, on) {
  loadOnClick('settings', on.failed, async () => {
    const { prepareSettingsDialog } = await import('./settings/settings_dialog.js');
    prepareSettingsDialog(reader);
  });
  loadOnClick('data', on.failed, async () => {
    const { prepareDataDialog } = await import('./data/data_dialog.js');
    await prepareDataDialog(on);
  });
  loadOnClick('conversation', on.failed, async () => {
    const { prepareConversationDialog } = await import('./chat/header/conversation_dialog.js');
    prepareConversationDialog(reader.conversation, on);
  });
}

function loadOnClick(dialog, failed, load) {
  const opener = document.querySelector(`[data-opens-dialog="${dialog}"]`);
  const listen = () => opener.addEventListener('click', open, { once: true });
  const open = () => load().then(() => opener.click(), (error) => { // again: the dialog has not heard the first
    failed(error);
    listen();
  });
  listen();
}
