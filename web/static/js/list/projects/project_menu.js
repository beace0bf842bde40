/** What the menu of a project offers, and what its items do. */

import { deleteProject } from '../../api/projects.js';
import { confirmAction } from '../../page/dialogs.js';
import { toggleMenu } from '../../page/menu.js';
import { announce } from '../../page/notices.js';
import { t } from '../../text/texts.js';

/**
 * `project` is the API's. `on.begin(project)`: the reader wants a new chat there. `on.edit(name)`: its
 * settings. `on.deleted()`: the server has deleted it; resolves when the list is drawn.
 * `on.failed(error)`: it has not.
 */
export function openProjectMenu(button, project, on) {
  const { name } = project;
  toggleMenu(button, t('list.more_about', { title: name }), [
    { label: t('projects.new_chat'), run: () => on.begin(project) },
    { label: t('projects.settings'), run: () => on.edit(name) },
    { label: t('projects.delete'), run: () => remove(project, on).catch(on.failed), isGrave: true },
  ]);
}

async function remove({ name, own_memory: hasMemory, chat_count: chatCount }, on) {
  const shares = hasMemory && chatCount > 0;
  const isSure = await confirmAction({
    title: t('projects.delete_title', { project: name }),
    text: t(shares ? 'projects.delete_shares' : 'projects.delete_about'),
    verb: t('projects.delete'),
  });
  if (!isSure) return;
  await deleteProject(name, shares);
  await on.deleted();
  announce(t('projects.deleted', { project: name }));
  document.querySelector('#list .new-chat').focus();
}
