/** Which model answers, and the buttons by which an operator sets up another one. */

import { getStatus } from '../../api/chat.js';
import { byId } from '../../page/element.js';
import { notifyError } from '../../page/failures.js';
import { prepareStandIn, showStandIn } from '../../page/notices.js';
import { t } from '../../text/texts.js';
import { nameModel, prepareModels } from './model_choice.js';

let dialog = null;
let on = {};

/** `changed()`: a chat may choose from other models now. `parts` is {chat, thread, rounds}: what is asked again of the first real model. */
export function prepareModelSetup(changed, parts) {
  const load = () => prepareModels().then(changed);
  on = { ...parts, changed: () => Promise.all([load(), getStatus().then(showModel)]).catch(notifyError) };
  const open = (isFirst) => openDialog(isFirst).catch(notifyError);
  prepareStandIn(() => open(true));
  byId('models-open').addEventListener('click', () => open(false));
  load().catch(notifyError);
}

/** What the API's status says of the model, and of the reader's rights. */
export function showModel({ model, stand_in: isStandIn, operator }) {
  byId('model').textContent = t('list.model', { model: nameModel(model) });
  showStandIn(isStandIn);
  for (const node of document.querySelectorAll('[data-opens-models]')) node.hidden = !operator;
  if (isStandIn && operator) showRunning().catch(() => {}); // nobody has asked for it
}

async function showRunning() {
  const { offerRunning } = await import('./running_models.js');
  await offerRunning(on);
}

async function openDialog(isFirst) {
  const { ModelsDialog } = await import('./models_dialog.js');
  dialog ??= new ModelsDialog(on);
  await dialog.open(isFirst);
}
