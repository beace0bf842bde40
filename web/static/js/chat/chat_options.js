/** The options of a new chat: the agent that answers, and what memory may do. */

import { listAgents } from '../api/chat.js';
import { byId, el } from '../page/element.js';
import { readStored, store } from '../page/storage.js';
import { t } from '../text/texts.js';

const LASTING_MODES = ['active', 'passive'];

let agents = [];

export async function prepareOptions() {
  byId('choice').addEventListener('change', storeOptions);
  byId('choice').addEventListener('submit', (event) => event.preventDefault());
  resetMode();
  ({ agents } = await listAgents());
  byId('agent').append(...agents.map(({ name, title }) => el('option', { value: name }, title)));
  const agent = findAgent(readStored('agent')) ?? agents[0]; // the first is the server's default
  if (agent) byId('agent').value = agent.name;
  byId('agent-field').hidden = agents.length < 2;
  describeOptions();
}

/** The mode of the last new chats, for the next one. A chat without memory is the exception. */
export function resetMode() {
  const stored = readStored('mode');
  byId(`mode-${LASTING_MODES.includes(stored) ? stored : LASTING_MODES[0]}`).checked = true;
  describeOptions();
}

/** {agent?, mode}, as `POST /chat` takes them. `temporary` is a chat of which nothing is stored. */
export function readOptions() {
  const agent = byId('agent').value;
  const mode = readMode();
  return agent ? { agent, mode } : { mode };
}

export function agentTitle(name) {
  return findAgent(name)?.title ?? name;
}

function storeOptions() {
  store('agent', byId('agent').value);
  if (LASTING_MODES.includes(readMode())) store('mode', readMode());
  describeOptions();
}

function describeOptions() {
  byId('agent-about').textContent = findAgent(byId('agent').value)?.description ?? '';
  byId('mode-about').textContent = t(`mode.${readMode()}.about`);
}

function findAgent(name) {
  return agents.find((agent) => agent.name === name);
}

function readMode() {
  return new FormData(byId('choice')).get('mode');
}
