/** Puts a chat into a folder, an old or a new one, or takes it out. */

import { addFolder, listFolders } from '../../api/folders.js';
import { runAction } from '../../page/action.js';
import { byId, el } from '../../page/element.js';
import { announce } from '../../page/notices.js';
import { t } from '../../text/texts.js';
import { idOf, rulesOfNames } from '../folders/names.js';

const NONE = 'none'; // values of the choices; an old folder's is the name after `in:`
const NEW = 'new';

/**
 * `chat` is {id, title, folder}. `save({project})` sends the change, and resolves to the name as the
 * server has it. The dialog stays open, with the reason, when that fails.
 */
export async function openMoveDialog(chat, save) {
  const { projects: folders } = await listFolders();
  const name = el('input', { class: 'field-text', dir: 'auto', 'aria-label': t('folders.name'), ...rulesOfNames() });
  const choices = drawChoices(folders, chat.folder, name);
  const cancel = el('button', { type: 'button', class: 'action', onclick: () => dialog.close() }, t('form.cancel'));
  const form = el('form', { class: 'dialog-body', autocomplete: 'off' },
    el('h2', { id: 'move-title' }, t('folders.move_title')),
    el('p', { class: 'share-what', dir: 'auto' }, chat.title),
    choices,
    el('div', { class: 'dialog-foot' }, cancel,
      el('button', { type: 'submit', class: 'action is-main' }, t('folders.move_do'))));
  const dialog = el('dialog', { class: 'dialog is-small', id: 'move', 'aria-labelledby': 'move-title' }, form);
  let folder = chat.folder;
  const move = async () => {
    const project = readChoice(form, name);
    if (form.elements.folder.value === NEW && !isKnown(folders, project)) await addFolder(project);
    folder = await save({ project });
    announce(folder === null ? t('folders.moved_out', chat) : t('folders.moved', { title: chat.title, folder }));
  };
  name.addEventListener('input', () => {
    form.elements.folder.value = NEW;
    requireName(form, name);
  });
  form.addEventListener('change', () => requireName(form, name));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await runAction(form, move)) dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    (byId(`more-${chat.id}`) ?? byId(idOf(folder)))?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  requireName(form, name);
  (folders.length ? form.querySelector(':checked') : name).focus();
}

function drawChoices(folders, current, name) {
  const chosen = folders.length ? current : NEW;
  const draw = (value, text, isChosen) => el('label', { class: 'folder-choice' },
    el('input', { type: 'radio', name: 'folder', value, checked: isChosen }), el('span', { dir: 'auto' }, text));
  return el('fieldset', { class: 'folder-choices' },
    el('legend', { class: 'visually-hidden' }, t('folders.one')),
    ...folders.map(({ name: folder }) => draw(`in:${folder}`, folder, folder === chosen)),
    draw(NONE, t('folders.none'), chosen === null),
    draw(NEW, t('folders.new'), chosen === NEW && !folders.length),
    name);
}

// Only a new folder needs a name.
function requireName(form, name) {
  name.required = form.elements.folder.value === NEW;
}

/** The name of the chosen folder; null: none. */
function readChoice(form, name) {
  const { value } = form.elements.folder;
  if (value === NONE) return null;
  return value === NEW ? name.value.trim() : value.slice('in:'.length);
}

// The server takes upper and lower case for one.
function isKnown(folders, project) {
  return folders.some(({ name }) => name.toLowerCase() === project.toLowerCase());
}
