/** Which model answers, and the buttons by which an operator sets up another one. */

import { getStatus } from '../../api/chat.js';
import { byId } from '../../page/element.js';
import { notifyError } from '../../page/failures.js';
import { prepareStandIn, showStandIn } from '../../page/notices.js';
import { t } from '../../text/texts.js';
import { nameModel, prepareModels } from './model_choice.js';

let dialog = null;

/** `onChanged()`: a chat may choose from other models now. */
export function prepareModelSetup(onChanged) {
  const load = () => prepareModels().then(onChanged);
  const refresh = () => Promise.all([load(), getStatus().then(showModel)]).catch(notifyError);
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
}

async function openDialog(refresh, isFirst) {
  const { ModelsDialog } = await import('./models_dialog.js');
  dialog ??= new ModelsDialog(refresh);
  dialog.open(isFirst);
}
