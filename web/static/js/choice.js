/** What a new chat starts with: who answers, and what memory may do. */

import { listAgents } from './api.js';
import { byId, el } from './element.js';
import { keep, recallKept } from './kept.js';
import { t } from './texts.js';

let agents = [];

export async function prepareChoice() {
  byId('choice').addEventListener('change', note);
  byId('choice').addEventListener('submit', (event) => event.preventDefault());
  const mode = byId(`mode-${recallKept('mode')}`);
  if (mode) mode.checked = true;
  describe();
  ({ agents } = await listAgents());
  byId('agent').append(...agents.map(({ name, title }) => el('option', { value: name }, title)));
  const agent = findAgent(recallKept('agent')) ?? agents[0]; // the first is the server's default
  if (agent) byId('agent').value = agent.name;
  byId('agent-field').hidden = agents.length < 2;
  describe();
}

/** {agent?, mode}, as `POST /chat` takes them. */
export function readChoice() {
  const agent = byId('agent').value;
  return { ...(agent && { agent }), mode: readMode() };
}

export function agentTitle(name) {
  return findAgent(name)?.title ?? name;
}

function note() {
  keep('agent', byId('agent').value);
  keep('mode', readMode());
  describe();
}

function describe() {
  byId('agent-about').textContent = findAgent(byId('agent').value)?.description ?? '';
  byId('mode-about').textContent = t(`mode.${readMode()}.about`);
}

function findAgent(name) {
  return agents.find((agent) => agent.name === name);
}

function readMode() {
  return new FormData(byId('choice')).get('mode');
}
