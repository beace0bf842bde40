/**
 * What the menu of a conversation offers, and what its items do.
 *
 * This folder is loaded when a menu is opened for the first time.
 */

import { changeConversation, exportPath } from '../../api/chat.js';
import { addressOf } from '../../page/address.js';
import { toggleMenu } from '../../page/menu.js';
import { notify } from '../../page/notices.js';
import { t } from '../../text/texts.js';
import { moveChat, openMoveDialog } from './move_dialog.js';
import { askTitle } from './rename_dialog.js';
import { openShareDialog } from './share_dialog.js';

/**
 * `row` is {id, title, pinned, project}. `on.changed(id, changes)`: the server has changed it;
 * resolves when the list is drawn.
 * `on.remove(id)`: the reader wants to delete it. `on.failed(error)`: it was not changed.
 */
export function openRowMenu(button, row, on) {
  const { id, title, pinned } = row;
  const pin = () => change(id, { pinned: !pinned }, on);
  const share = { label: t('share.open'), run: () => openShareDialog({ id, title }) };
  toggleMenu(button, t('list.more_about', { title }), [
    { label: t('list.rename'), run: () => askTitle(row, (changes) => save(id, changes, on)) },
    { label: t(pinned ? 'list.unpin' : 'list.pin'), run: pin },
    { label: t('projects.move'), run: () => openMoveDialog(row, (changes) => save(id, changes, on)).catch(on.failed) },
    { label: t('list.archive'), run: () => archive(row, on) },
    ...('sharing' in document.body.dataset ? [share] : []),
    { label: t('list.markdown'), href: exportPath(id, 'markdown') },
    { label: t('list.json'), href: exportPath(id, 'json') },
    { label: t('list.print'), run: () => window.open(`${addressOf(id)}/print`, '_blank', 'noopener') },
    { label: t('list.delete'), run: () => on.remove(id), isGrave: true },
  ]);
}

/** The row was dropped on a project; null: outside of all. */
export function moveRow(row, project, on) {
  return moveChat(row, project, (changes) => save(row.id, changes, on));
}

async function archive({ id, title }, on) {
  if (!(await change(id, { archived: true }, on))) return;
  const { dismiss } = notify(t('list.archived', { title }), {
    action: {
      label: t('conversation.undo'),
      run: () => {
        dismiss();
        change(id, { archived: false }, on);
      },
    },
  });
}

/** Resolves to whether the server has made the change. */
async function change(id, changes, on) {
  try {
    await save(id, changes, on);
    return true;
  } catch (error) {
    on.failed(error);
    return false;
  }
}

/** Resolves to the name of its project. */
async function save(id, changes, on) {
  const { project } = await changeConversation(id, changes);
  await on.changed(id, 'project' in changes ? { project } : changes);
  return project;
}
