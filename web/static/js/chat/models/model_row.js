/** One model that an operator has set up. */

import { deleteModel } from '../../api/models.js';
import { runAction } from '../../page/action.js';
import { confirmAction } from '../../page/dialogs.js';
import { el } from '../../page/element.js';
import { t } from '../../text/texts.js';

/** `on.edit(model)`, `on.verify(model)`, and `on.changed()` after it was removed. */
export function drawModel(model, isVerifying, on) {
  const id = `site-model-${model.model_id}`;
  const button = (key, onclick) => el('button', {
    type: 'button', class: 'action', id: `${id}-${key}`, 'aria-describedby': `${id} ${id}-verdict`, onclick,
  }, t(key));
  const row = el('li', { class: 'token' },
    el('div', { class: 'token-head' },
      el('p', {}, el('strong', { id, dir: 'auto' }, model.name)),
      el('div', { class: 'model-uses' }, ...listUses(model).map((use) => el('span', { class: 'chip' }, use)))),
    el('p', { class: 'about', dir: 'auto' }, describePlace(model)),
    el('p', { class: 'about', id: `${id}-verdict` }, isVerifying ? t('models.verifying') : describeVerification(model)),
    el('div', { class: 'actions' },
      button('models.verify', () => on.verify(model)),
      button('models.edit', () => on.edit(model)),
      button('models.remove', () => askAndRemove(model, row, on))));
  return row;
}

function listUses(model) {
  const uses = [];
  if (model.chat_default) uses.push(t('models.use.chat'));
  if (model.memory_default) uses.push(t('models.use.memory'));
  if (!model.offered) uses.push(t('models.use.hidden'));
  return uses;
}

function describePlace({ served_name: name, address, has_key: hasKey }) {
  const key = t(hasKey ? 'models.key.set' : 'models.key.none');
  return [name, address, key].filter(Boolean).join(' · ');
}

function describeVerification({ verification }) {
  if (!verification) return t('models.verified.unknown');
  return t(verification.enough ? 'models.verified.yes' : 'models.verified.no', verification);
}

async function askAndRemove(model, row, on) {
  const question = { title: t('models.remove_title'), text: t('models.remove_text', { name: model.name }), verb: t('models.remove') };
  if (!(await confirmAction(question))) return;
  if (await runAction(row, () => deleteModel(model.model_id))) on.changed();
}
