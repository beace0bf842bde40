/** The options of a new chat: who answers, by which model, and what memory may do. */

import { listAgents } from '../../api/chat.js';
import { listPersonas } from '../../api/personas.js';
import { byId, el } from '../../page/element.js';
import { notifyError } from '../../page/failures.js';
import { readStored, store } from '../../page/storage.js';
import { hasText, t } from '../../text/texts.js';
import { fillModels, readModel } from '../models/model_choice.js';

const LASTING_MODES = ['active', 'passive'];
const PREFIX = 'persona:'; // before a persona's id, in the picker's values

let agents = [];
let personas = [];
let dialog = null;
let project = null; // the API's: the one that the next chat begins in
let isChosen = false; // the reader has chosen the mode or the model of the next chat

/** `onChanged()`: a persona has another name, or is gone. */
export function prepareOptions(chat, onChanged) {
  chat.on('shown', () => chat.conversation || resetOptions());
  byId('choice').addEventListener('change', ({ target }) => storeOptions(target));
  byId('choice').addEventListener('submit', (event) => event.preventDefault());
  byId('personas-open').addEventListener('click', () => openPersonas(onChanged).catch(notifyError));
  resetChoice();
}

/** Reads who may answer. */
export async function loadAnswerers() {
  [{ agents }, { personas }] = await Promise.all([listAgents(), listPersonas()]);
  agents = agents.map(translateAgent);
  showAnswerers(readStored('agent'));
}

/** The page has words for the agents that come with the site; others are shown with the server's. */
function translateAgent(agent) {
  const key = `agent.${agent.name}`;
  return hasText(key) ? { ...agent, title: t(key), description: t(`${key}.about`) } : agent;
}

/** For the next new chat. */
function resetOptions() {
  if (project) leaveProject();
  else resetChoice();
}

// What it has brought does not stay for other chats.
function leaveProject() {
  if (project.model) fillModels(byId('new-model'), null);
  showProject(null);
  isChosen = false;
  showAnswerers(readStored('agent'));
}

/** Begins a new chat by `begin()`, and puts it into a project, with its persona and model. */
export function beginInProject(chosen, begin) {
  begin();
  showProject(chosen);
  if (findPersona(`${PREFIX}${chosen.persona_id}`)) {
    byId('agent').value = `${PREFIX}${chosen.persona_id}`;
    resetChoice();
  }
  if (chosen.model) fillModels(byId('new-model'), chosen.model);
}

function showProject(chosen) {
  project = chosen;
  byId('project-note').hidden = project === null;
  if (project) byId('project-note').textContent = t(project.own_memory ? 'projects.begin_own' : 'projects.begin', { project: project.name });
}

/**
 * What the next chat begins with: the mode of the last ones, where a chat without memory is the
 * exception, or the mode and the model that the persona brings.
 */
function resetChoice() {
  isChosen = false;
  const stored = readStored('mode');
  const persona = findPersona(byId('agent').value);
  const mode = persona?.mode ?? (LASTING_MODES.includes(stored) ? stored : LASTING_MODES[0]);
  byId(`mode-${mode}`).checked = true;
  if (persona) fillModels(byId('new-model'), persona.model);
  describeOptions();
}

/** {agent?, persona_id?, mode, model?, project?}, as `POST /chat` takes them. A `temporary` chat is stored nowhere. */
export function readOptions() {
  const { value } = byId('agent');
  const persona = findPersona(value);
  const answerer = persona ? { persona_id: persona.persona_id } : { agent: value };
  const mode = readMode();
  const place = project !== null && mode !== 'temporary' ? { project: project.name } : {};
  return { ...(value ? answerer : {}), mode, ...readModel(), ...place };
}

/** Who answers in a conversation: the server's default where none was named, before the agents were known. */
export function answererOf({ agent = agents[0]?.name, persona_id: id }) {
  const persona = personas.find(({ persona_id: personaId }) => personaId === id);
  return persona?.name ?? findAgent(agent)?.title ?? agent;
}

async function openPersonas(onChanged) {
  const { createPersonasDialog } = await import('./personas/personas_dialog.js');
  dialog ??= createPersonasDialog(() => refreshPersonas().then(onChanged).catch(notifyError));
  dialog.open();
}

async function refreshPersonas() {
  ({ personas } = await listPersonas());
  showAnswerers(byId('agent').value);
}

/** `chosen` is a value of the picker. */
function showAnswerers(chosen) {
  const group = el('optgroup', { label: t('personas.own') },
    ...personas.map(({ persona_id: id, name }) => el('option', { value: `${PREFIX}${id}` }, name)));
  byId('agent').replaceChildren(
    ...agents.map(({ name, title }) => el('option', { value: name }, title)),
    ...(personas.length ? [group] : []),
  );
  const known = findAgent(chosen) || findPersona(chosen);
  if (agents.length) byId('agent').value = known ? chosen : agents[0].name; // the first is the server's default
  if (isChosen) describeOptions();
  else resetChoice();
}

// A persona brings its model and its use of memory, which the reader may still change.
function storeOptions(changed) {
  const isAnswerer = changed === byId('agent');
  const persona = isAnswerer ? findPersona(changed.value) : null;
  if (!isAnswerer) isChosen = true;
  else if (persona || !isChosen) resetChoice();
  store('agent', byId('agent').value);
  if (!persona && LASTING_MODES.includes(readMode())) store('mode', readMode());
  describeOptions();
}

function describeOptions() {
  const { value } = byId('agent');
  byId('agent-about').textContent = findAgent(value)?.description ?? findPersona(value)?.instructions ?? '';
  byId('mode-about').textContent = t(`mode.${readMode()}.about`);
}

function findAgent(name) {
  return agents.find((agent) => agent.name === name);
}

function findPersona(value) {
  return personas.find(({ persona_id: id }) => `${PREFIX}${id}` === value);
}

function readMode() {
  return new FormData(byId('choice')).get('mode');
}
