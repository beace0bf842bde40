/**
 * The settings of a project, or of a new one: instructions, what its chats begin with, its own memory.
 *
 * This folder is loaded when the dialog is opened for the first time.
 */

import { listPersonas } from '../../api/personas.js';
import { addProject, changeProject, getProject, listProjectFiles } from '../../api/projects.js';
import { closeByBackdrop } from '../../page/dialogs.js';
import { byId, el } from '../../page/element.js';
import { announce } from '../../page/notices.js';
import { idOf, rulesOfNames } from '../../text/projects.js';
import { t } from '../../text/texts.js';
import { createLibraryForm, labelled } from '../library/library_form.js';
import { fillModels, hasChoice } from '../models/model_choice.js';
import { ProjectFiles } from './project_files.js';

const EMPTY = { name: '', instructions: '', persona_id: null, model: null, own_memory: false, chat_count: 0, fact_count: 0 };
const MAX_INSTRUCTIONS_CHARS = 8000; // the server's limit

/**
 * `name` is the project's, or null for a new one. `saved(project, before)`: the server has it by now, and
 * had it under the name `before`; resolves when the page shows it.
 */
export async function openProjectDialog(name, saved) {
  const isNew = name === null;
  const [project, { personas }, files] = await Promise.all([
    isNew ? EMPTY : getProject(name), listPersonas(), isNew ? null : listProjectFiles(name),
  ]);
  let opener = document.activeElement.id; // the list may be drawn anew under the dialog
  const fields = createFields(project, personas);
  const heading = el('h2', { id: 'project-title' }, t(isNew ? 'projects.new' : 'projects.open'));
  const form = createLibraryForm(heading, [...drawFields(fields, project), files && new ProjectFiles(name, files.files).element], {
    cancel: () => dialog.close(),
    save: async () => {
      const text = readFields(fields, project);
      const stored = isNew ? await addProject(text) : await changeProject(name, text);
      await saved(stored, name);
      if (opener === menuOf(name)) opener = menuOf(stored.name);
      announce(t('projects.saved', { project: stored.name }));
      dialog.close();
    },
  });
  const dialog = el('dialog', { class: 'dialog', id: 'project', 'aria-labelledby': heading.id },
    el('div', { class: 'dialog-body' }, form));
  closeByBackdrop(dialog);
  dialog.addEventListener('close', () => {
    dialog.remove();
    byId(opener)?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  fields.name.focus();
}

/** The id of the button of its menu in the list. */
function menuOf(name) {
  return `${idOf(name)}-more`;
}

function createFields({ name, instructions, persona_id: personaId, model, own_memory: hasMemory }, personas) {
  const fields = {
    name: el('input', { class: 'field-text', dir: 'auto', required: true, value: name, ...rulesOfNames() }),
    instructions: el('textarea', {
      class: 'field-text', dir: 'auto', rows: '5', maxlength: `${MAX_INSTRUCTIONS_CHARS}`, 'aria-describedby': 'project-hint',
    }, instructions),
    persona: el('select', { class: 'field-text' }, el('option', { value: '' }, t('projects.persona.none')),
      ...personas.map(({ persona_id: id, name: persona }) => el('option', { value: `${id}` }, persona))),
    model: el('select', { class: 'field-text' }),
    memory: el('input', { type: 'checkbox', checked: hasMemory, 'aria-describedby': 'project-memory-fixed' }),
  };
  fields.persona.value = `${personaId ?? ''}`;
  fillModels(fields.model, model);
  return fields;
}

function drawFields(fields, project) {
  const isFixed = isMemoryFixed(project);
  fields.memory.disabled = isFixed;
  const persona = labelled('projects.persona', fields.persona);
  const model = labelled('models.one', fields.model);
  persona.hidden = fields.persona.options.length < 2;
  model.hidden = !hasChoice(project.model);
  return [
    el('p', { class: 'about' }, t('projects.about')),
    labelled('library.name', fields.name),
    labelled('projects.instructions', fields.instructions),
    el('p', { class: 'about', id: 'project-hint' }, t('projects.instructions.about')),
    persona,
    model,
    el('p', { class: 'about', hidden: persona.hidden && model.hidden }, t('projects.begins')),
    el('label', { class: 'mode' }, fields.memory,
      el('span', {}, el('strong', {}, t('projects.own_memory')), ' ', t('projects.own_memory.about'))),
    el('p', { class: 'about', id: 'project-memory-fixed', hidden: !isFixed }, t('projects.own_memory.fixed')),
  ];
}

/** The server changes it only while nothing would have to move to another memory. */
function isMemoryFixed({ chat_count: chatCount, fact_count: factCount }) {
  return chatCount + factCount > 0;
}

function readFields({ name, instructions, persona, model, memory }, project) {
  const text = { name: name.value, instructions: instructions.value, persona_id: Number(persona.value) || null };
  const chosenModel = model.value || null;
  if (chosenModel !== project.model) text.model = chosenModel;
  return isMemoryFixed(project) ? text : { ...text, own_memory: memory.checked };
}
