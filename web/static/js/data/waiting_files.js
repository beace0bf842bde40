/** Files that were uploaded and not sent: what they are, each with a button to remove it. */

import { attachmentPath, deleteFile, listWaitingFiles } from '../api/attachments.js';
import { runAction } from '../page/action.js';
import { byId, el } from '../page/element.js';
import { formatSize, t } from '../text/texts.js';

/** Reads the list anew. Its section is shown only if there is a file. */
export async function showWaitingFiles() {
  const { attachments: files } = await listWaitingFiles();
  const list = byId('waiting-files-list');
  list.replaceChildren(...files.map((file) => drawFile(file, remove)));
  byId('waiting-files').hidden = files.length === 0;

  async function remove(file, row) {
    await deleteFile(file.attachment_id);
    const next = (row.nextElementSibling ?? row.previousElementSibling)?.querySelector('button');
    row.remove();
    if (next) next.focus();
    else byId('waiting-files').hidden = true;
  }
}

/** A row for the API's file. `remove(file, row)` is called when its button is pressed. */
export function drawFile(file, remove) {
  const { attachment_id: id, name, bytes } = file;
  const button = el('button', { type: 'button', class: 'action', 'aria-label': t('attach.remove', { name }) },
    t('waiting_files.remove'));
  const row = el('li', {},
    el('a', { href: attachmentPath(id), target: '_blank', rel: 'noopener', dir: 'auto' }, name),
    ` ${formatSize(bytes)} `, button);
  button.addEventListener('click', () => runAction(row, () => remove(file, row)));
  return row;
}
