/** Which model answers, and the buttons by which an operator sets up another one. */

import { getStatus } from '../../api/chat.js';
import { byId } from '../../page/element.js';
import { notifyError } from '../../page/failures.js';
import { notify, prepareStandIn, showStandIn } from '../../page/notices.js';
import { t } from '../../text/texts.js';
import { nameModel, prepareModels } from './model_choice.js';

let dialog = null;
let noteFirst = () => {};

/** `onChanged()`: a chat may choose from other models now. `onFirst()`: the first real model was set up. */
export function prepareModelSetup(onChanged, onFirst) {
  const load = () => prepareModels().then(onChanged);
  const refresh = () => Promise.all([load(), getStatus().then(showModel)]).catch(notifyError);
  noteFirst = async (model, result) => {
    const { tellSuccess } = await import('./model_trial.js');
    notify(tellSuccess(result), { isCalm: true });
    await refresh();
    onFirst();
  };
  const open = (isFirst) => openDialog(refresh, isFirst).catch(notifyError);
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
  await offerRunning(byId('stand-in-running'), (model, result) => noteFirst(model, result));
}

async function openDialog(refresh, isFirst) {
  const { ModelsDialog } = await import('./models_dialog.js');
  dialog ??= new ModelsDialog({ changed: refresh, first: (model, result) => noteFirst(model, result) });
  await dialog.open(isFirst);
}
