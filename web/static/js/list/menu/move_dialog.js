/** Puts a chat into a project, an old or a new one, or takes it out. Before, it says what becomes of what was learned. */

import { addProject, listProjects, previewMove } from '../../api/projects.js';
import { runAction } from '../../page/action.js';
import { confirmAction } from '../../page/dialogs.js';
import { byId, el } from '../../page/element.js';
import { announce } from '../../page/notices.js';
import { describeMove, idOf, rulesOfNames } from '../../text/projects.js';
import { t } from '../../text/texts.js';

const NONE = 'none'; // values of the choices; an old project's is the name after `in:`
const NEW = 'new';

/**
 * `chat` is {id, title, project}. `save({project})` sends the change, and resolves to the name as the
 * server has it. The dialog stays open, with the reason, when that fails.
 */
export async function openMoveDialog(chat, save) {
  const { projects } = await listProjects();
  const name = el('input', { class: 'field-text', dir: 'auto', 'aria-label': t('projects.name'), ...rulesOfNames() });
  const note = el('p', { class: 'about', role: 'status' });
  const cancel = el('button', { type: 'button', class: 'action', onclick: () => dialog.close() }, t('form.cancel'));
  const form = el('form', { class: 'dialog-body', autocomplete: 'off' },
    el('h2', { id: 'move-title' }, t('projects.move_title')),
    el('p', { class: 'share-what', dir: 'auto' }, chat.title),
    drawChoices(projects, chat.project, name),
    note,
    el('div', { class: 'dialog-foot' }, cancel,
      el('button', { type: 'submit', class: 'action is-main' }, t('projects.move_do'))));
  const dialog = el('dialog', { class: 'dialog is-small', id: 'move', 'aria-labelledby': 'move-title' }, form);
  let { project } = chat;
  const preview = new Preview(form, chat, note);
  const move = async () => {
    if (await preview.bringsNews()) return;
    project = await save({ project: await readChoice(form, name, projects) });
    tellMoved(chat, project);
    dialog.close();
  };
  const showChoice = () => {
    name.required = form.elements.project.value === NEW; // only a new project needs a name
    preview.show().catch(() => {}); // it is read again before the move
  };
  name.addEventListener('input', () => {
    if (form.elements.project.value === NEW) return;
    form.elements.project.value = NEW;
    showChoice();
  });
  form.addEventListener('change', ({ target }) => target !== name && showChoice());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    runAction(form, move);
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    (byId(`more-${chat.id}`) ?? byId(idOf(project)))?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  name.required = form.elements.project.value === NEW;
  (projects.length ? form.querySelector(':checked') : name).focus();
}

/** As the dialog does, for a chat that is dropped on a project; null: on none. It asks only where memory changes. */
export async function moveChat(chat, project, save) {
  const text = describeMove(await previewMove(chat.id, project));
  const isSure = !text || await confirmAction({ title: t('projects.move_ask'), text, verb: t('projects.move_do') });
  if (isSure) tellMoved(chat, await save({ project }));
}

function tellMoved({ title }, project) {
  announce(project === null ? t('projects.moved_out', { title }) : t('projects.moved', { title, project }));
}

function drawChoices(projects, current, name) {
  const chosen = projects.length ? current : NEW;
  const draw = (value, text, isChosen) => el('label', { class: 'project-choice' },
    el('input', { type: 'radio', name: 'project', value, checked: isChosen }), el('span', { dir: 'auto' }, text));
  return el('fieldset', { class: 'project-choices' },
    el('legend', { class: 'visually-hidden' }, t('projects.one')),
    ...projects.map(({ name: project }) => draw(`in:${project}`, project, project === chosen)),
    draw(NONE, t('projects.none'), chosen === null),
    draw(NEW, t('projects.new'), chosen === NEW && !projects.length),
    name);
}

/** What the chosen move would do. A new project has no memory of its own, as outside of all of them. */
class Preview {
  #choices;
  #chat;
  #note;
  #shown = null; // the choice that it is about

  constructor(form, chat, note) {
    this.#choices = form.elements;
    this.#chat = chat;
    this.#note = note;
  }

  async show() {
    const { value } = this.#choices.project;
    const text = describeMove(await previewMove(this.#chat.id, oldProject(value)));
    if (value !== this.#choices.project.value) return; // the reader has chosen another one meanwhile
    this.#note.textContent = text;
    this.#shown = value;
  }

  /** Resolves to whether there is something now that the reader could not read before. */
  async bringsNews() {
    if (this.#shown === this.#choices.project.value) return false;
    await this.show();
    return this.#note.textContent !== '';
  }
}

/** The name of the chosen project, which is made if it is new; null: none. */
async function readChoice(form, field, projects) {
  const { value } = form.elements.project;
  if (value !== NEW) return oldProject(value);
  const name = field.value.trim();
  const known = projects.find((project) => project.name.toLowerCase() === name.toLowerCase());
  return (known ?? await addProject({ name })).name;
}

function oldProject(value) {
  return value === NONE || value === NEW ? null : value.slice('in:'.length);
}
