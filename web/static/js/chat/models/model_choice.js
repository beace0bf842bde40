/** The models that a chat may choose: at its first box, in its header, and in its own settings. */

import { listModels } from '../../api/chat.js';
import { byId, el } from '../../page/element.js';
import { t } from '../../text/texts.js';

const DEFAULT = ''; // the value of the default in a picker: the chat names no model
const BUILT_IN = 'offline/'; // what the names of the built-in ones begin with

let models = [];

/** Asks again, too: an operator may have changed something. */
export async function prepareModels() {
  ({ models } = await listModels());
  const picker = byId('new-model');
  fillModels(picker, picker.value || DEFAULT);
  byId('model-field').hidden = models.length < 2;
}

/** `chosen` is a name, or nothing for the default. It is shown even if it is not offered (any more, or yet). */
export function fillModels(picker, chosen) {
  const others = models.filter((model) => !model.is_default).map(({ name }) => name);
  const main = models.find((model) => model.is_default)?.name ?? '';
  const options = [el('option', { value: DEFAULT }, t('models.default', { name: nameModel(main) }))];
  options.push(...others.map((name) => el('option', { value: name }, name)));
  const value = chosen === main ? DEFAULT : chosen ?? DEFAULT;
  if (value && !others.includes(value)) options.push(el('option', { value, disabled: isGone(value) }, describeModel(value)));
  picker.replaceChildren(...options);
  picker.value = value;
}

/** What the next new chat names: {model}, null for the default. Nothing for one that is not offered (any more, or yet). */
export function readModel() {
  const name = byId('new-model').value;
  return models.length === 0 || isGone(name) ? {} : { model: name || null };
}

/** A model as people know it. */
export function nameModel(name) {
  return name.startsWith(BUILT_IN) ? t('models.built_in') : name;
}

/** A line for the head of a chat that has chosen a model; null for the default. */
export function describeModel(name) {
  if (!name) return null;
  return isGone(name) ? t('models.gone', { name }) : name;
}

/** Whether there is something to choose from. */
export function hasChoice(chosen) {
  return models.length > 1 || Boolean(chosen);
}

function isGone(name) {
  return Boolean(name) && models.length > 0 && !models.some((model) => model.name === name);
}
